/** Marks code that types prove unreachable; reached all the same, it is our bug. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
