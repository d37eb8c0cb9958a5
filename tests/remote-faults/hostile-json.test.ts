import { describe, expect, it } from 'vitest';
import { AcpClient } from '../server/acp-client.ts';
import { Box } from '../server/box.ts';
import { Follower } from '../serving/follower.ts';
import { say, script, update } from '../serving/stage.ts';

const DEPTH = 100_000;
const LISTS = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
const OBJECTS = '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH);

/** Bodies of `initialize` that are meant to hurt a parser, with the status that answers them. */
const BODIES: readonly (readonly [string, string, number])[] = [
  ['lists in lists', LISTS, 400],
  ['objects in objects', OBJECTS, 400],
  ['a member that is deep', initialize(`,"x":${LISTS}`), 400],
  ['an id that is deep', `{"jsonrpc":"2.0","id":${OBJECTS},"method":"initialize"}`, 400],
  ['an id beyond all numbers', '{"jsonrpc":"2.0","id":1e999999,"method":"initialize"}', 400],
  ['an id that is long', `{"jsonrpc":"2.0","id":${'9'.repeat(10_000)},"method":"x"}`, 400],
  ['a prototype', initialize(',"__proto__":{"polluted":true}'), 200],
  ['half a string', `{"a":"${'x'.repeat(100_000)}`, 400],
  ['nothing', '', 400],
  ['zeros', '\0\0\0', 400],
];

function initialize(more: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1${more}}}`;
}

describe('JSON that is meant to do harm', () => {
  it.for(BODIES)('in a POST is answered: %s', async ([, body, status]) => {
    const box = await Box.open();
    const headers = { 'content-type': 'application/json', ...(await box.token()) };
    const answer = await box.ask('/acp', { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await box.ask('/health/live')).status).toBe(200);
  });

  it('is passed on by a session, stored, and told to everybody who looks', async () => {
    const box = await Box.open();
    const { stage } = box;
    const client = await AcpClient.open(box, 'websocket', await box.token());
    const sessionId = await client.newSession(stage.folder);
    const story = script(
      update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"x","rawInput":${OBJECTS}}`),
      update(`{"sessionUpdate":"unheard_of","deep":${LISTS}}`),
      update(
        `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"},"_meta":${OBJECTS}}`,
      ),
      say('the end'),
    );
    expect(await client.prompt(sessionId, story)).toEqual({ stopReason: 'end_turn' });
    await client.untilSaid('the end');
    for (const params of [{ after: 'start' }, {}, { after: 'start', inlineBytesMax: 1024 }]) {
      const follower = await Follower.connect(stage);
      await follower.attach(sessionId, params);
      await follower.until(() => follower.hasCaughtUp);
      await follower.call('_signalbox/session/snapshot', { sessionId });
    }
    const page = await box.ask(`/v1/sessions/${sessionId}/events?limit=500`, {
      headers: await box.token(),
    });
    expect(page.text).toContain(LISTS);
    await stage.host.closeSession(sessionId as never);
    const editor = await stage.connect();
    await editor.load(sessionId, stage.folder);
    expect(editor.said.join('')).toBe('athe end');
  });
});
