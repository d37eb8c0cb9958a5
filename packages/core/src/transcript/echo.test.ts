import { expect, test } from 'vitest';
import { createEcho, ECHO_LENGTH_MAX, matchEcho } from './echo.ts';

const text = (value: string) => ({ type: 'text', text: value }) as const;

test('of a long prompt only the beginning is kept, and the rest is taken for repeated by its length', () => {
  const rest = 'y'.repeat(1000);
  const echo = createEcho([text(` ${'x'.repeat(ECHO_LENGTH_MAX)}${rest}\n`)]);
  expect(echo).toMatchObject({ length: ECHO_LENGTH_MAX + 1000, types: [] });
  expect(echo.text).toHaveLength(ECHO_LENGTH_MAX);
  expect(matchEcho(echo, text('x'.repeat(ECHO_LENGTH_MAX - 1)))).toBe('partial');
  expect(matchEcho(echo, text(`x${rest.slice(1)}`))).toBe('partial');
  expect(matchEcho(echo, text('y'))).toBe('complete');
});

test('what differs from the beginning, or is longer than the prompt, is no repetition', () => {
  const echo = createEcho([text('x'.repeat(ECHO_LENGTH_MAX + 10))]);
  expect(matchEcho(echo, text(`${'x'.repeat(ECHO_LENGTH_MAX - 1)}y`))).toBe('different');
  expect(matchEcho(echo, text('x'.repeat(ECHO_LENGTH_MAX)))).toBe('partial');
  expect(matchEcho(echo, text('x'.repeat(11)))).toBe('different');
});
