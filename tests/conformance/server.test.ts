import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAgent, type Report } from '../../packages/conformance/src/index.ts';
import { fixture, remoteAgent } from '../../packages/conformance/src/testing/fixture.ts';
import { Box } from '../server/box.ts';

const LONG_MS = 120_000;

/** What has to be seen, so that nothing passes for want of a look. */
const SEEN = {
  websocket: [
    'R-HTTP-01',
    'R-HTTP-25',
    'R-WS-01',
    'R-WS-03',
    'R-WS-04',
    'R-WS-05',
    'R-WS-07',
    'R-WS-08',
    'R-WS-09',
  ],
  http: ['01', '03', '05', '06', '08', '09', '11', '13', '14', '15', '17', '19', '20', '22', '23']
    .concat(['25', '26', '27', '28', '29'])
    .map((number) => `R-HTTP-${number}`),
};

let store: string;
beforeAll(() => (store = mkdtempSync(join(tmpdir(), 'signalbox-conformance-'))));
// Not behind each test: agents write there until the server has ended them, which is done after hooks of this file.
afterAll(() => rmSync(store, { recursive: true, force: true }));

/** A server with an agent that does everything right. */
function openBox(): Promise<Box> {
  const command = [process.execPath, fixture('agent/main.mjs'), 'none'];
  return Box.open({
    httpLimits: { keepAliveMs: 500 },
    stage: { entry: { command, env: { FIXTURE_STORE: store } } },
  });
}

function brokenIn({ results }: Report): string[] {
  return results
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'warning')
    .map(({ requirement, text }) => `${requirement.id}: ${text}`);
}

describe.each(['websocket', 'http'] as const)('a server over %s', (transport) => {
  it(
    'breaks no requirement of the protocol and none of the transport',
    async () => {
      const box = await openBox();
      const report = await checkAgent({
        ...remoteAgent(box.url('/acp'), transport, await box.token()),
        concurrency: 2,
      });
      // MCP over HTTP is the agent's own doing.
      expect(brokenIn(report).filter((line) => !line.startsWith('R-MCP-07'))).toEqual([]);
      expect(report.exitCode).toBe(0);
      const passed = report.results.filter(({ verdict }) => verdict === 'passed');
      const ids = passed.map(({ requirement }) => requirement.id);
      expect(ids).toEqual(expect.arrayContaining(SEEN[transport]));
      expect(passed.length).toBeGreaterThan(170);
    },
    LONG_MS,
  );
});
