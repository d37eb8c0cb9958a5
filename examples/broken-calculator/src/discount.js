import { percentOf } from './money.js';

/** Percent off by code. */
const CODES = new Map([
  ['WELCOME', 10],
  ['SUMMER', 15],
]);

const BULK_ITEMS_MIN = 10;
const BULK_PERCENT = 5;

/** Percent off for an order. A code and a large order add up. */
export function discountPercent(itemCount, code) {
  const forCode = CODES.get(code) ?? 0;
  const forBulk = itemCount >= BULK_ITEMS_MIN ? BULK_PERCENT : 0;
  return forCode + forBulk;
}

/** What is left of an amount after the discount. */
export function applyDiscount(cents, percent) {
  return cents + percentOf(cents, percent);
}
