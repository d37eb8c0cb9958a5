import { expect, test } from 'vitest';
import type { Observation } from '../findings/observation.ts';
import { play } from '../testing/passive-case.ts';
import type { Wire } from '../testing/wire.ts';
import { runPassive } from './run-passive.ts';

function accusedIds(write: (wire: Wire) => void): Set<string> {
  const isAccusation = ({ outcome }: Observation): boolean => /failed|warned/.test(outcome);
  return new Set(
    runPassive(play(write))
      .filter(isAccusation)
      .map(({ id }) => id),
  );
}

test('a message that was printed over several lines is known among others and beside garbage', () => {
  const printed = JSON.stringify(
    { jsonrpc: '2.0', method: '_x', params: { a: ['}{', {}] } },
    null,
    1,
  );
  const ids = accusedIds((wire) => {
    wire.raw('agent', '{ a banner');
    for (const line of printed.split('\n')) wire.raw('agent', line).raw('client', '');
  });
  expect(ids).toContain('R-FRM-03');
  expect(ids).toContain('R-FRM-04');
  expect(ids).not.toContain('R-FRM-02');
});

test('thousands of broken lines are read once each', () => {
  const lines = ['{"jsonrpc":"2.0","method":"_a"}{"jsonrpc":"2.0","method":"_b"}', '{{', '}'];
  let reads = 0;
  const trace = play((wire) => {
    for (let n = 0; n < 3000; n++) wire.raw('agent', lines[n % lines.length] ?? '');
  }).map((entry) => ({
    ...entry,
    get text(): string {
      reads++;
      return entry.text;
    },
  }));
  runPassive(trace);
  expect(reads / trace.length).toBeLessThan(100);
});

test('an empty line may be answered, but not twice', () => {
  const once = accusedIds((wire) => wire.raw('client', '').fail('agent', null, -32700));
  expect(once).toEqual(new Set());
  const twice = accusedIds((wire) =>
    wire.raw('client', '').fail('agent', null, -32700).fail('agent', null, -32700),
  );
  expect(twice).toEqual(new Set(['R-FRM-13']));
});
