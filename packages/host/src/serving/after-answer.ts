/**
 * Runs `work` when the answer of the request handler that returns now has been sent: it goes out by
 * promise reactions, all of which run before the next turn of the event loop.
 */
export function afterAnswer(work: () => void): void {
  setImmediate(work);
}
