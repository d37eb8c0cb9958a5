import { describe, expect, test } from 'vitest';
import { remoteClient } from '../../testing/fixture.ts';
import type { RemoteKind } from '../../transport-kind.ts';
import type { CheckClientOptions } from './options.ts';
import { runScenarios } from './run-scenarios.ts';
import { CLIENT_SCENARIOS } from './scenarios.ts';

/** A fault of the fixture client, the scenario that has to find it, and the requirements it breaks. */
interface FaultCase {
  readonly fault: string;
  readonly transport: RemoteKind;
  readonly scenario: string;
  readonly ids: readonly string[];
  readonly more?: Partial<CheckClientOptions>;
}

function http(fault: string, scenario: string, ...ids: readonly string[]): FaultCase {
  return { fault, transport: 'http', scenario, ids };
}

function socket(fault: string, scenario: string, ...ids: readonly string[]): FaultCase {
  return { fault, transport: 'websocket', scenario, ids };
}

const CANCEL: Partial<CheckClientOptions> = { cancelSignal: 'SIGINT' };

const FAULTS: readonly FaultCase[] = [
  http('http-only', 'a server that offers the other transport only', 'R-HTTP-02'),
  http('text-plain', 'a turn over Streamable HTTP', 'R-HTTP-04'),
  http('forgets-connection', 'a turn over Streamable HTTP', 'R-HTTP-07', 'R-HTTP-22'),
  http('no-session-header', 'a turn over Streamable HTTP', 'R-HTTP-10'),
  http('no-accept', 'a turn over Streamable HTTP', 'R-HTTP-12'),
  http('one-stream', 'a turn over Streamable HTTP', 'R-HTTP-12', 'R-HTTP-22'),
  http('no-cookies', 'a turn over Streamable HTTP', 'R-HTTP-21'),
  http('odd-version', 'a turn over Streamable HTTP', 'R-HTTP-24'),
  http('never-answers', 'a turn over Streamable HTTP', 'R-HTTP-22'),
  http('waits-for-202', 'an answer before the 202 of its request', 'R-HTTP-16'),
  http('matches-by-stream', 'an answer on another stream', 'R-HTTP-16'),
  {
    ...http('parallel-posts', 'a cancel of a prompt that is not accepted yet', 'R-HTTP-18'),
    more: CANCEL,
  },
  socket('sends-garbage', 'a turn over a WebSocket', 'R-WS-02', 'R-WS-03'),
  socket('no-pong', 'a turn over a WebSocket', 'R-WS-08'),
  socket('reads-binary', 'binary frames between the messages', 'R-WS-04'),
  socket('dies-on-binary', 'binary frames between the messages', 'R-WS-04'),
  socket('ignores-bad-frames', 'a frame that is no JSON', 'R-WS-07'),
  socket('no-cookies', 'an upgrade that is refused for the moment', 'R-WS-06'),
];

describe('a client with one fault', () => {
  test.concurrent.each(FAULTS)(
    '$fault is found over $transport by: $scenario',
    async ({ fault, transport, scenario, ids, more }) => {
      const options = { ...remoteClient(fault, transport), ...more, only: [scenario] };
      const observations = await runScenarios(options);
      const accused = observations.filter(({ outcome }) => /failed|warned/.test(outcome));
      expect(accused.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
    },
  );
});

test('a client that is told which transport to use, and cannot, fails', async () => {
  const base = remoteClient('http-only', 'http');
  const options = { only: ['a server that offers the other transport only'] };
  const told = { ...base, ...options, command: [...base.command, '{transport}'] };
  const outcomes = async (each: CheckClientOptions): Promise<readonly string[]> =>
    (await runScenarios(each)).filter(({ id }) => id === 'R-HTTP-02').map(({ outcome }) => outcome);
  expect(await outcomes(told)).toEqual(['failed']);
  expect(await outcomes({ ...base, ...options })).toEqual(['warned']);
});

test('every scenario for endpoints is shown a fault that it finds', () => {
  const shown = new Set(FAULTS.map(({ scenario }) => scenario));
  const remote = CLIENT_SCENARIOS.filter(
    ({ over }) => over?.transports.includes('stdio') === false,
  );
  const names = remote.map(({ name }) => name);
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
  expect([...shown].filter((name) => !names.includes(name))).toEqual([]);
});
