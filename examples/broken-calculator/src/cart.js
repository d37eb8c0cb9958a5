import { applyDiscount, discountPercent } from './discount.js';
import { sum } from './money.js';
import { shippingCost } from './shipping.js';

/** The items that somebody is about to buy. Prices are in cents, weights in grams. */
export class Cart {
  #lines = [];

  add(name, priceCents, { quantity = 1, grams = 0 } = {}) {
    if (quantity < 1) throw new RangeError(`${name}: the quantity must be at least 1`);
    this.#lines.push({ name, priceCents, quantity, grams });
    return this;
  }

  get itemCount() {
    return sum(this.#lines.map((line) => line.quantity));
  }

  get subtotal() {
    return sum(this.#lines.map((line) => line.priceCents * line.quantity));
  }

  /** What is to be paid: the items less the discount, and the shipping. */
  total(code) {
    const goods = applyDiscount(this.subtotal, discountPercent(this.itemCount, code));
    const grams = sum(this.#lines.map((line) => line.grams * line.quantity));
    return goods + shippingCost(goods, grams);
  }
}
