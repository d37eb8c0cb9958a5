import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, percentOf, sum } from '../src/money.js';

test('a percentage is rounded to whole cents', () => {
  assert.equal(percentOf(999, 10), 100);
});

test('the sum of nothing is zero', () => {
  assert.equal(sum([]), 0);
  assert.equal(sum([100, 250]), 350);
});

test('amounts are printed with two digits', () => {
  assert.equal(format(1250), '12.50');
  assert.equal(format(-5), '-0.05');
});
