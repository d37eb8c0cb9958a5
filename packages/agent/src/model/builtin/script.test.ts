import { expect, test } from 'vitest';
import { findScript, parseScript, runScript } from './script.ts';

test('finds the script in a prompt, and no other block', () => {
  expect(findScript('Do this:\n```signalbox-script\n[]\n```\nThanks')).toBe('[]\n');
  expect(findScript('```json\n[]\n```')).toBeUndefined();
});

const WRONG = [
  ['{', 'it is not JSON'],
  ['{}', 'it must be a list of steps'],
  ['[7]', 'step 1: it must be an object'],
  ['[{"say":"a"},{}]', 'step 2: it has none of say, think, plan'],
  ['[{"say":5}]', '"say" must be a string'],
  ['[{"say":"a","repeat":0}]', '"repeat" must be a whole number from 1'],
  ['[{"say":"a","input":{}}]', '"input" does not belong to a "say" step'],
  ['[{"plan":[{"content":"a","status":"soon"}]}]', 'status is none of pending, in_progress'],
  ['[{"plan":{}}]', 'lacks a list'],
  ['[{"tool":5}]', '"tool" must be the name'],
  ['[{"tools":[]}]', '"tools" must be a list'],
  ['[{"stop":"end"}]', '"stop" must be "refusal" or "length"'],
  ['[{"wait":1}]', '"wait" must be true'],
] as const;

test.each(WRONG)('says what is wrong with %s', (text, problem) => {
  expect(parseScript(text)).toEqual({ problem: expect.stringContaining(problem) as string });
});

test('sends a plan along with the tools that follow, and alone before other steps', () => {
  const parsed = parseScript(
    '[{"plan":[]},{"tool":"a"},{"plan":[]},{"say":"x"},{"tools":[{"tool":"b"},{"tool":"c"}]}]',
  );
  if ('problem' in parsed) throw new Error(parsed.problem);
  const steps = Array.from(runScript(parsed.steps)).map((step) => {
    return step.kind === 'call' ? step.calls.map(({ name }) => name) : step.kind;
  });
  expect(steps).toEqual([['plan', 'a'], ['plan'], 'say', ['b', 'c']]);
});
