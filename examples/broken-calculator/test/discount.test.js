import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discountPercent } from '../src/discount.js';

test('a code gives its percentage', () => {
  assert.equal(discountPercent(1, 'WELCOME'), 10);
  assert.equal(discountPercent(1, 'UNKNOWN'), 0);
});

test('ten items are a large order', () => {
  assert.equal(discountPercent(9), 0);
  assert.equal(discountPercent(10), 5);
  assert.equal(discountPercent(10, 'SUMMER'), 20);
});
