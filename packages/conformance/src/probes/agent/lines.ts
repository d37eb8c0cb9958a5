import type { KitClient } from '../../kit-client/kit-client.ts';
import { transportOf } from '../../kit-client/open-line.ts';
import { errorCode } from '../../passive/wire-message.ts';
import { writeSliced } from '../../process/write-sliced.ts';
import { STDIO, type PlayedOver } from '../played-over.ts';
import type { AgentProbe } from './probe.ts';
import type { ProbeRun } from './probe-run.ts';

const MIB = 1024 * 1024;
/** Characters of one to four bytes, and the separators that some line readers take for line ends. */
const ODD_TEXT = 'aß€😀\u2028\u2029\u0085\u0000';

/** A text frame that is no UTF-8 ends a WebSocket by the rules of WebSockets themselves. */
const NOT_IN_FRAMES: PlayedOver = {
  transports: ['stdio', 'http'],
  why: 'a text frame that is no UTF-8 has to end the connection (RFC 6455)',
};

/** Lines that are cut, joined, huge, or no messages at all. */
export const LINE_PROBES: readonly AgentProbe[] = [
  {
    name: 'a message in slices of one byte',
    ids: ['R-FRM-01', 'R-FRM-02', 'R-FRM-03'],
    over: STDIO,
    blame: ['R-FRM-02'],
    async run(probe) {
      const client = await probe.connect();
      await writeSliced((bytes) => client.link.write(bytes), `${ping(ODD_TEXT)}\n`);
      const answer = await client
        .answerTo(ODD_TEXT, { what: 'answer with the same id' })
        .catch(async (error: unknown) => {
          // Whoever gets the line but garbles the text answers with another id.
          await client.ping();
          probe.fail(
            'R-FRM-01',
            'the characters of an id come back changed',
            client.link.received.at(-2),
          );
          throw error;
        });
      probe.pass('R-FRM-01', 'characters of all lengths come back unchanged', answer.message);
      probe.pass('R-FRM-02', 'a message in many writes is read', answer.message);
      probe.pass('R-FRM-03', 'separators within strings do not end a line', answer.message);
    },
  },
  {
    name: 'two messages in one write',
    ids: ['R-FRM-02'],
    over: STDIO,
    blame: ['R-FRM-02'],
    async run(probe) {
      const client = await probe.connect();
      await client.link.write(`${ping('one')}\n${ping('two')}\n`);
      const first = await client.answerTo('one');
      const second = await client.answerTo('two');
      probe.pass(
        'R-FRM-02',
        'both of two messages in one write are answered',
        first.message,
        second.message,
      );
    },
  },
  {
    name: 'a message of 1 MiB',
    ids: ['R-FRM-02'],
    over: STDIO,
    blame: ['R-FRM-02'],
    async run(probe) {
      const client = await probe.connect();
      const answer = await client.request('_signalbox.check/large', { text: 'x'.repeat(MIB) });
      probe.pass('R-FRM-02', 'a message of 1 MiB is answered', answer.message);
    },
  },
  {
    name: 'a message of 8 MiB',
    ids: ['R-FRM-31'],
    blame: ['R-FRM-31'],
    async run(probe) {
      const client = await probe.connect();
      const answer = await client.request('_signalbox.check/large', { text: 'x'.repeat(8 * MIB) });
      const alive = await client.ping();
      probe.pass('R-FRM-31', 'a message of 8 MiB is answered', answer.message, alive.message);
    },
  },
  {
    name: 'lines that are no JSON',
    ids: ['R-FRM-17', 'R-ERR-05'],
    blame: ['R-FRM-17', 'R-ERR-05'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      for (const line of ['{oops', 'hello', '', '{"jsonrpc":"2.0","id":1,"method":"init', '}{']) {
        await client.line(line);
      }
      await survives(probe, client, ['R-FRM-17', 'R-ERR-05'], 'lines that are no JSON');
      judgeRefusal(probe, client, { id: 'R-FRM-17', code: -32700, what: 'a line that is no JSON' });
    },
  },
  {
    name: 'bytes that are no UTF-8',
    ids: ['R-FRM-17'],
    over: NOT_IN_FRAMES,
    blame: ['R-FRM-17'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      await client.link.write(Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d, 10));
      await client.link.write(Uint8Array.of(0xff, 0xfe, 0xc3, 10));
      await survives(probe, client, ['R-FRM-17'], 'bytes that are no UTF-8');
    },
  },
  {
    name: 'JSON that is no message',
    ids: ['R-FRM-18'],
    blame: ['R-FRM-18'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const lines = [
        '42',
        '"x"',
        'null',
        '{}',
        '{"jsonrpc":"2.0","id":5}',
        '{"jsonrpc":"2.0","method":7,"id":6}',
      ];
      for (const line of lines) await client.line(line);
      await survives(probe, client, ['R-FRM-18'], 'JSON that is no message');
      judgeRefusal(probe, client, {
        id: 'R-FRM-18',
        code: -32600,
        what: 'JSON that is no message',
      });
      const from = client.link.received.length;
      await client.line(
        '{"jsonrpc":"2.0","id":"broken","result":1,"error":{"code":1,"message":"x"}}',
      );
      await client.line('{"jsonrpc":"2.0","id":"stray","result":{}}');
      const alive = await client.ping();
      const loop = client.link.received
        .slice(from)
        .find((each) => each.kind === 'response' && each !== alive.message);
      probe.judge('R-FRM-18', loop === undefined, 'broken responses are not answered', loop);
    },
  },
  {
    name: 'a message of another JSON-RPC version',
    ids: ['R-FRM-18'],
    blame: ['R-FRM-18'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const params = { cwd: await probe.directory(), mcpServers: [] };
      await client.line(
        JSON.stringify({ jsonrpc: '1.0', id: 'old', method: 'session/new', params }),
      );
      await survives(probe, client, ['R-FRM-18'], 'a message of JSON-RPC 1.0');
      // An agent that serves it as well may take as long as for this one.
      await client.request('session/new', params);
      const answer = client.link.received.find(
        ({ idText, isError }) => idText === '"old"' && !isError,
      );
      probe.judge(
        'R-FRM-18',
        answer === undefined,
        'a message of JSON-RPC 1.0 is not served',
        answer,
      );
    },
  },
  {
    name: 'a batch',
    ids: ['R-FRM-18', 'R-FRM-19'],
    blame: ['R-FRM-18'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      await client.line(`[${ping('batch-1')},${ping('batch-2')}]`);
      const alive = await client.ping();
      const entry = client.link.received.find(
        ({ idText, value }) => idText?.startsWith('"batch') === true || Array.isArray(value),
      );
      if (entry === undefined) probe.pass('R-FRM-19', 'a batch is not served', alive.message);
      else probe.warn('R-FRM-19', 'the entries of a batch are served, which v1 has not', entry);
    },
  },
];

function ping(id: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: '_signalbox.check/ping', params: {} });
}

/** Whether anything was refused with this code. Which line it is about need not show. */
function judgeRefusal(
  probe: ProbeRun,
  { link }: KitClient,
  { id, code, what }: { id: string; code: number; what: string },
): void {
  // Over HTTP the endpoint says it by the status.
  if (transportOf(probe.bench.target) === 'http') return;
  const refusal = link.received.find((each) => errorCode(each) === code);
  const other = link.received.findLast(
    ({ kind, idText }) => kind === 'response' && idText === 'null',
  );
  probe.judge(id, refusal !== undefined, `${what} is answered with ${code}`, refusal ?? other);
}

async function survives(
  probe: ProbeRun,
  client: KitClient,
  ids: readonly string[],
  what: string,
): Promise<void> {
  const alive = await client.ping();
  for (const id of ids) probe.pass(id, `the connection goes on after ${what}`, alive.message);
}
