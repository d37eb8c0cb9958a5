import { WEBSOCKET } from '../../played-over.ts';
import { END_TURN, type Scenario } from '../scenario.ts';

const PING = '{"jsonrpc":"2.0","id":"binary","method":"_signalbox.check/ping","params":{}}';

/** What clients do with WebSockets. Much of it shows in every scenario. */
export const WEBSOCKET_SCENARIOS: readonly Scenario[] = [
  {
    name: 'a turn over a WebSocket',
    ids: ['R-WS-02', 'R-WS-03', 'R-WS-08'],
    over: WEBSOCKET,
    async play(agent) {
      await agent.say('over a WebSocket');
      const isAnswered = await agent.socket.ping(agent.answerMs);
      agent.judge('R-WS-08', isAnswered, 'a ping frame is answered by a pong frame');
      return END_TURN;
    },
  },
  {
    name: 'binary frames between the messages',
    ids: ['R-WS-04'],
    over: WEBSOCKET,
    blame: ['R-WS-04'],
    isHostile: true,
    async play(agent) {
      let isServed = false;
      agent.expect('"binary"', 'a binary frame').then(
        () => (isServed = true),
        () => undefined,
      );
      await agent.socket.binary(Buffer.from(PING));
      await agent.socket.binary(Uint8Array.of(0, 255, 1, 254));
      const { text } = await agent.ping();
      agent.judge('R-WS-04', !isServed, 'binary frames are ignored, and the client goes on', text);
      return END_TURN;
    },
  },
  {
    name: 'a frame that is no JSON',
    ids: ['R-WS-07'],
    over: WEBSOCKET,
    blame: ['R-WS-07'],
    isHostile: true,
    async play(agent) {
      const refused = agent.expect('null', 'a frame that is no JSON').catch(() => undefined);
      await agent.line('{"jsonrpc":"2.0","id":1,"meth');
      await agent.ping();
      const answer = await refused;
      const text = 'a frame that is no JSON is answered with -32700 and the id null';
      agent.judge('R-WS-07', answer?.code === -32700, text, ...(answer ? [answer.text] : []));
      return END_TURN;
    },
  },
  {
    name: 'an upgrade that is refused for the moment',
    ids: ['R-WS-06'],
    over: WEBSOCKET,
    mayFail: true,
    endpoint: { refusesFirstUpgrade: true },
    play: () => Promise.resolve(END_TURN),
  },
];
