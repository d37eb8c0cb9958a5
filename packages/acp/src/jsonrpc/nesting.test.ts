import { expect, it } from 'vitest';
import { isNestedDeeper } from './nesting.ts';

const LEVELS = 3;

it.each([
  ['[[[1]]]', false],
  ['[[[[1]]]]', true],
  ['{"a":{"b":[1]}}', false],
  ['{"a":{"b":[{}]}}', true],
  ['[[],[],[],[],[[]]]', false],
  ['{"a":"[[[[[[{{{{"}', false],
  ['["\\"[[[[[","\\\\",[[1]]]', false],
  ['["\\\\",[[[1]]]]', true],
  ['["[[[[[', false],
  ['[[[[', true],
  [']]]][[[[[', false],
  ['', false],
])('of three levels at most: %s is deeper: %s', (text, isDeeper) => {
  expect(isNestedDeeper(text, LEVELS)).toBe(isDeeper);
});

it('millions of levels are seen at once, wherever they stand', () => {
  const deep = '['.repeat(4_000_000);
  expect(isNestedDeeper(deep, 256)).toBe(true);
  expect(isNestedDeeper(`{"a":"${'x'.repeat(1_000_000)}","b":${deep}`, 256)).toBe(true);
});
