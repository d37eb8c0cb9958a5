import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remoteAgent } from '../../testing/fixture.ts';
import { FixtureServer } from '../../testing/fixture-server.ts';
import type { RemoteKind } from '../../transport-kind.ts';
import type { CheckAgentOptions } from './options.ts';
import { AGENT_PROBES, runAgentProbes } from './run-probes.ts';

/** A fault of the fixture server, the probe that has to find it, and the requirements it breaks. */
interface FaultCase {
  readonly fault: string;
  readonly transport: RemoteKind;
  readonly probe: string;
  readonly ids: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Partial<CheckAgentOptions>;
}

function http(fault: string, probe: string, ...ids: readonly string[]): FaultCase {
  return { fault, transport: 'http', probe, ids };
}

function socket(fault: string, probe: string, ...ids: readonly string[]): FaultCase {
  return { fault, transport: 'websocket', probe, ids };
}

const SHORT: Partial<CheckAgentOptions> = {
  timeouts: {
    startMs: 8000,
    answerMs: 1000,
    turnMs: 2500,
    exitMs: 700,
    promptMs: 500,
    idleMs: 1000,
  },
};
const TLS = fileURLToPath(new URL('../../../../../tests/fixtures/tls/', import.meta.url));
const SECURE = { FIXTURE_KEY: join(TLS, 'key.pem'), FIXTURE_CERT: join(TLS, 'cert.pem') };
const TOKEN = {
  env: { FIXTURE_TOKEN: 'kit-token' },
  headers: { authorization: 'Bearer kit-token' },
};

const FAULTS: readonly FaultCase[] = [
  http('no-upgrade', 'one endpoint for everything', 'R-HTTP-01'),
  socket('no-upgrade', 'one endpoint for everything', 'R-INI-06'),
  { ...http('none', 'HTTP/2', 'R-HTTP-03'), env: SECURE },
  http('any-origin', 'requests of a foreign origin', 'R-HTTP-25'),
  socket('any-origin', 'requests of a foreign origin', 'R-HTTP-25'),
  { ...http('id-is-credential', 'a connection id without credentials', 'R-HTTP-26'), ...TOKEN },
  http('initialize-202', 'initialize by POST', 'R-INI-06', 'R-HTTP-06'),
  { ...http('no-connection-header', 'initialize by POST', 'R-HTTP-06'), more: SHORT },
  http('same-connection-id', 'initialize by POST', 'R-HTTP-06'),
  http('any-type', 'POSTs of other types', 'R-HTTP-05'),
  http('strict-type', 'POSTs of other types', 'R-HTTP-05'),
  http('wrong-refusals', 'POSTs without a connection', 'R-HTTP-09'),
  http('no-session-header', 'messages of a session without its header', 'R-HTTP-11'),
  http('serves-batches', 'a batch by POST', 'R-HTTP-20'),
  http('odd-statuses', 'a batch by POST', 'R-HTTP-20'),
  http('odd-statuses', 'requests that make no sense', 'R-HTTP-27'),
  { ...http('holds-posts', 'POSTs behind initialize', 'R-HTTP-08'), more: SHORT },
  http('posts-200', 'POSTs behind initialize', 'R-HTTP-08'),
  { ...http('plain-streams', 'answers that belong to no session', 'R-HTTP-14'), more: SHORT },
  http('any-accept', 'opening streams', 'R-HTTP-13'),
  http('wrong-refusals', 'opening streams', 'R-HTTP-13'),
  http('no-connection-stream', 'answers that belong to no session', 'R-HTTP-14'),
  { ...http('cross-talk', 'two sessions on their streams', 'R-HTTP-15'), more: SHORT },
  http('one-stream', 'two sessions on their streams', 'R-HTTP-15'),
  http('answers-on-both', 'two sessions on their streams', 'R-HTTP-15'),
  http('two-in-an-event', 'two sessions on their streams', 'R-HTTP-15'),
  { ...http('drops-early', 'a stream that is opened late', 'R-HTTP-17'), more: SHORT },
  { ...http('one-break-ends-all', 'a stream that breaks', 'R-HTTP-29'), more: SHORT },
  { ...http('no-comments', 'an idle stream', 'R-HTTP-28'), more: SHORT },
  { ...http('ends-with-new', 'the life of a connection', 'R-HTTP-22'), more: SHORT },
  { ...http('keeps-deleted', 'ending a connection', 'R-HTTP-19'), more: SHORT },
  http('refuses-load', 'loading behind a connection that was lost', 'R-HTTP-23'),
  socket('no-connection-header', 'opening a WebSocket', 'R-WS-01'),
  socket('same-connection-id', 'opening a WebSocket', 'R-WS-01'),
  { ...socket('two-in-a-frame', 'a socket that is lost during a turn', 'R-WS-03'), more: SHORT },
  { ...socket('binary-frames', 'opening a WebSocket', 'R-INI-06', 'R-WS-03'), more: SHORT },
  socket('reads-binary', 'binary frames', 'R-WS-04'),
  socket('closes-on-binary', 'binary frames', 'R-WS-04'),
  socket('ignores-bad-frames', 'frames that are no JSON', 'R-WS-07'),
  { ...socket('no-pong', 'a ping frame', 'R-WS-08'), more: SHORT },
  socket('closes-without-code', 'a first message that is not initialize', 'R-WS-09'),
  socket('breaks-on-drop', 'a socket that is lost during a turn', 'R-WS-05'),
];

let store: string;
beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'signalbox-fixture-'));
  // The certificate of the fixture is nobody's.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
});
afterAll(async () => {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  await rm(store, { recursive: true, force: true });
});

describe('a server with one fault', () => {
  test.concurrent.each(FAULTS)(
    '$fault is found over $transport by: $probe',
    async ({ fault, transport, probe, ids, env, headers, more }) => {
      const own = await mkdtemp(join(store, 'sessions-'));
      const server = await FixtureServer.withFault(fault, own, env);
      try {
        const options = { ...remoteAgent(server.url, transport, headers), ...more, only: [probe] };
        const observations = await runAgentProbes(options as CheckAgentOptions);
        const accused = observations.filter(({ outcome }) => /failed|warned/.test(outcome));
        expect(accused.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
      } finally {
        await server.stop();
      }
    },
  );
});

test('every probe of endpoints is shown a fault that it finds', () => {
  const shown = new Set(FAULTS.map(({ probe }) => probe));
  const remote = AGENT_PROBES.filter(({ over }) => over?.transports.includes('stdio') === false);
  const names = remote.map(({ name }) => name);
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
  expect([...shown].filter((name) => !names.includes(name))).toEqual([]);
});
