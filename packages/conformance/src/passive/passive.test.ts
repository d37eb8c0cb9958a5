import { describe, expect, test } from 'vitest';
import type { Observation } from '../findings/observation.ts';
import { CONNECTION_CASES } from '../testing/connection-cases.ts';
import { CONTENT_CASES } from '../testing/content-cases.ts';
import { FLOW_CASES } from '../testing/flow-cases.ts';
import { play } from '../testing/passive-case.ts';
import { SESSION_CASES } from '../testing/session-cases.ts';
import { PASSIVE_CHECKS, runPassive } from './run-passive.ts';

const CASES = [...CONNECTION_CASES, ...SESSION_CASES, ...FLOW_CASES, ...CONTENT_CASES];

const RESULTS = CASES.map(({ bad, good }) => ({
  bad: runPassive(play(bad)),
  good: runPassive(play(good)),
}));

/**
 * Permissions of the protocol and habits that are only worth noting: seeing them says something, not
 * seeing them says nothing, and there is no wrong way that a trace could show.
 */
const NOTED_ONLY: ReadonlySet<string> = new Set([
  'agent R-FRM-15',
  'client R-FRM-15',
  'agent R-INI-10',
  'client R-INI-10',
  'agent R-INI-08',
  'agent R-AUT-05',
  'client R-CNT-05',
  'agent R-SES-10',
  'client R-MCP-10',
  'agent R-CFG-17',
  'client R-LST-07',
  'agent R-PRM-14',
  'agent R-PRM-15',
  'agent R-CAN-13',
  'agent R-CHK-09',
  'agent R-LOD-09',
  'agent R-USG-04',
  'agent R-PLN-01',
  'agent R-PLN-05',
  'agent R-PLN-06',
  'agent R-CNT-04',
  'client R-CNT-04',
  'agent R-CNT-09',
  'client R-CNT-09',
  'agent R-TOOL-20',
  'agent R-TOOL-01',
  'agent R-TOOL-13',
  'agent R-PER-01',
  'client R-PER-05',
  'client R-PER-11',
  'agent R-PER-08',
  'client R-ELI-11',
]);

describe.each(CASES)('$id of the $side', ({ id, side, bad, good }) => {
  test('is accused where it is broken', () => {
    const accusations = runPassive(play(bad)).filter(
      (each) => each.id === id && each.side === side && /failed|warned/.test(each.outcome),
    );
    expect(accusations).not.toEqual([]);
    expect(accusations.some(({ evidence }) => evidence.length > 0)).toBe(true);
  });

  test('is passed where it is met', () => {
    const seen = runPassive(play(good)).filter((each) => each.id === id && each.side === side);
    expect(seen.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(seen.map(({ outcome }) => outcome)).toContain('passed');
  });
});

describe.each(PASSIVE_CHECKS)('the check that $name', (check) => {
  const claims = (['agent', 'client'] as const).flatMap((side) =>
    (check.ids[side] ?? []).map((id) => `${side} ${id}`),
  );

  function keysOf(observations: readonly Observation[]): Set<string> {
    const mine = observations.filter(({ where }) => where === check.name);
    return new Set(mine.map(({ side, id }) => `${side} ${id}`));
  }

  test('can fail for every requirement it claims', () => {
    const accusations = RESULTS.flatMap(({ bad }) => bad).filter(
      ({ outcome }) => outcome !== 'passed',
    );
    const able = keysOf(accusations);
    expect(claims.filter((claim) => !able.has(claim) && !NOTED_ONLY.has(claim))).toEqual([]);
  });

  test('judges nothing that it does not claim', () => {
    const all = keysOf(RESULTS.flatMap(({ bad, good }) => [...bad, ...good]));
    expect([...all].filter((key) => !claims.includes(key))).toEqual([]);
  });
});

test('a clean conversation is accused of nothing that a rule demands', () => {
  const trace = play((wire) =>
    wire.ready().turn((inner) =>
      inner.update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: 'hi' },
      }),
    ),
  );
  const accusations = runPassive(trace).filter(({ outcome }) => /failed|warned/.test(outcome));
  expect(accusations.map(({ id }) => id)).toEqual(['R-MCP-07']);
});

test('a repeated fault is told three times and then counted', () => {
  const trace = play((wire) => {
    for (let n = 0; n < 10; n++) wire.raw('agent', 'noise');
  });
  const told = runPassive(trace).filter(
    ({ id, outcome }) => id === 'R-FRM-04' && outcome === 'failed',
  );
  expect(told).toHaveLength(4);
  expect(told.at(-1)?.text).toBe('10 times in all');
});

test('what belongs to another protocol version is only judged as JSON-RPC', () => {
  const trace = play((wire) =>
    wire
      .call('initialize', { protocolVersion: 2, info: {} }, { protocolVersion: 2, info: {} })
      .session()
      .update({ sessionUpdate: 'state_update', state: 'idle' }),
  );
  expect(runPassive(trace).filter(({ outcome }) => outcome === 'failed')).toEqual([]);
});
