/** Resolves when everything that is due now has run, and what follows from it without waiting. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
