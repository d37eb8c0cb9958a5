/**
 * Calls `wake` when a page may have lost its connections without having been told: when it becomes visible
 * again, was frozen, comes back from the cache of the browser, or the network is back (B178). Does nothing outside of
 * a browser.
 *
 * @returns a function that ends that.
 */
export function watchWakeSignals(wake: () => void): () => void {
  if (typeof document === 'undefined' || typeof window === 'undefined') return () => undefined;
  const stop = new AbortController();
  const { signal } = stop;
  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  document.addEventListener('visibilitychange', onVisibility, { signal });
  document.addEventListener('resume', wake, { signal });
  window.addEventListener('online', wake, { signal });
  window.addEventListener('pageshow', wake, { signal });
  return () => stop.abort();
}
