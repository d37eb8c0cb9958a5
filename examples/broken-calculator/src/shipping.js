const FREE_FROM_CENTS = 5000;
const BASE_CENTS = 390;
const PER_KILOGRAM_CENTS = 120;

/** What sending an order costs, in cents. Heavy parcels cost more, large orders nothing. */
export function shippingCost(orderCents, grams) {
  if (orderCents >= FREE_FROM_CENTS) return 0;
  const kilograms = Math.ceil(grams / 1000);
  return BASE_CENTS + kilograms * PER_KILOGRAM_CENTS;
}
