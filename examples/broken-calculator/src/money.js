/** A share of an amount in cents, rounded to whole cents. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100);
}

/** The sum of amounts in cents. */
export function sum(amounts) {
  return amounts.reduce((total, cents) => total + cents, 0);
}

/** An amount in cents as text: 1250 is "12.50". */
export function format(cents) {
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${cents < 0 ? '-' : ''}${whole}.${rest}`;
}
