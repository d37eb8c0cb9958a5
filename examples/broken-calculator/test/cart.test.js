import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cart } from '../src/cart.js';

test('a cart adds up its lines', () => {
  const cart = new Cart().add('Tea', 450, { quantity: 2 }).add('Cup', 800);
  assert.equal(cart.itemCount, 3);
  assert.equal(cart.subtotal, 1700);
});

test('a small order pays for its shipping', () => {
  const cart = new Cart().add('Tea', 450, { quantity: 2, grams: 600 });
  assert.equal(cart.total(), 900 + 390 + 2 * 120);
});

test('a code takes ten percent off', () => {
  const cart = new Cart().add('Kettle', 8000);
  assert.equal(cart.total('WELCOME'), 7200);
});

test('a quantity below one is refused', () => {
  assert.throws(() => new Cart().add('Tea', 450, { quantity: 0 }), RangeError);
});
