import { at } from '../../json/json.ts';
import type { AgentProbe } from './probe.ts';
import { PING_METHOD } from '../../kit-client/kit-client.ts';

const IDS: readonly unknown[] = [
  0,
  -1,
  Number.MAX_SAFE_INTEGER,
  '',
  '1',
  '0d6f3b1e-5b7a-4c56-9b0e-7d0f3f6a1c22',
  'x'.repeat(200),
];

/** Request ids of every kind. */
export const ID_PROBES: readonly AgentProbe[] = [
  {
    name: 'unusual request ids',
    ids: ['R-FRM-11', 'R-FRM-12'],
    blame: ['R-FRM-11'],
    async run(probe) {
      const client = await probe.connect();
      const from = client.link.received.length;
      for (const id of IDS) {
        const answer = await client.ping(id);
        const isSame = at(answer.message.value, 'id') === id;
        probe.judge('R-FRM-11', isSame, `the id ${JSON.stringify(id)} comes back`, answer.message);
      }
      const answers = client.link.received.slice(from).filter(({ kind }) => kind === 'response');
      const isOnce = answers.length === IDS.length;
      probe.judge('R-FRM-12', isOnce, 'every request has one answer', answers.at(-1));
    },
  },
  {
    name: 'a request id above 2^53',
    ids: ['R-FRM-11'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const idText = '9007199254740993';
      await client.line(`{"jsonrpc":"2.0","id":${idText},"method":"${PING_METHOD}"}`);
      await client.ping();
      const answer = client.link.received.find(
        ({ idText: found }) => found?.startsWith('9007199') === true,
      );
      // The schema allows it, but many peers compute with double precision, so it stays a warning.
      if (answer?.idText === idText) probe.pass('R-FRM-11', 'an id above 2^53 comes back', answer);
      else if (answer !== undefined) probe.warn('R-FRM-11', 'an id above 2^53 is rounded', answer);
    },
  },
  {
    name: 'a request whose id is null',
    ids: ['R-FRM-14'],
    blame: ['R-FRM-14'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      await client.line(`{"jsonrpc":"2.0","id":null,"method":"${PING_METHOD}"}`);
      const alive = await client.ping();
      probe.pass('R-FRM-14', 'the connection goes on after a null id', alive.message);
    },
  },
];
