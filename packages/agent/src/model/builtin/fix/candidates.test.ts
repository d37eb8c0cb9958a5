import { expect, test } from 'vitest';
import { candidatesFor } from './candidates.ts';
import { toExactEdit } from './change-text.ts';
import type { TestFailure } from './test-failure.ts';

const TEST_FILE = `import { used } from './a.js';
test('other', () => {
  assert.equal(unused(1), 1);
});
test('it', () => {
  assert.equal(used(3), 10);
});
`;

function first(source: string, failure: Partial<TestFailure>): string[] {
  const sources = new Map([
    ['a.test.js', TEST_FILE],
    ['a.js', source],
  ]);
  const frames = [{ path: 'a.test.js', line: 6 }];
  const whole = { frames, expected: undefined, actual: undefined, ...failure };
  return candidatesFor([whole], sources).map(({ path, mutation }) => {
    const { token, replacement } = mutation;
    return `${path}:${token.line} ${token.text} -> ${replacement}`;
  });
}

test('begins with what the failing test uses, not with what it does not', () => {
  const source =
    'function unused(a) {\n  return a + 1;\n}\nfunction used(a) {\n  return a * 2;\n}\n';
  expect(first(source, {})[0]).toBe('a.js:5 * -> /');
});

test('follows calls, and constants by their names', () => {
  const source = 'const RATE = 3;\nconst OTHER = 5;\nfunction used(a) {\n  return RATE;\n}\n';
  const candidates = first(source, { expected: '10', actual: '3' });
  const constants = candidates.filter((candidate) => / -> \d/.test(candidate));
  expect(constants[0]).toBe('a.js:1 3 -> 10');
});

test('prefers a wrong sign when the actual value is as far off on the other side', () => {
  const source = 'function used(a) {\n  const b = a < 5 ? 2 : 4;\n  return 10 * b + a;\n}\n';
  // 10 is a number of the test, 13 and 7 lie around it.
  expect(first(source, { expected: '7', actual: '13' })[0]).toBe('a.js:3 + -> -');
});

test('prefers limits when it is off by one, and conditions when it is a truth value', () => {
  const source = 'function used(a) {\n  return a + 1 < 5;\n}\n';
  expect(first(source, { expected: '3', actual: '4' })[0]).toBe('a.js:2 < -> <=');
  expect(first(source, { expected: 'true', actual: 'false' })[0]).toBe('a.js:2 < -> <=');
});

test('offers other names for the wrong variable, and never touches the test', () => {
  const source = 'function used(a, b) {\n  const c = a;\n  return b;\n}\n';
  const candidates = first(source, {});
  expect(candidates).toContain('a.js:3 b -> c');
  expect(candidates.some((candidate) => candidate.startsWith('a.test.js'))).toBe(false);
});

test('makes an edit exact by taking lines around it, and it can be taken back', () => {
  const text = 'x = 1;\na + b;\n\ny = 1;\na + b;\n';
  const token = { kind: 'sign', text: '+', start: 24, end: 25, line: 5 } as const;
  expect(text[token.start]).toBe('+');
  const edit = toExactEdit(text, { kind: 'arithmetic', token, replacement: '-', rank: 0 });
  expect(text.split(edit.oldText)).toHaveLength(2);
  const changed = text.replace(edit.oldText, () => edit.newText);
  expect(changed).toBe('x = 1;\na + b;\n\ny = 1;\na - b;\n');
  expect(changed.split(edit.newText)).toHaveLength(2);
});
