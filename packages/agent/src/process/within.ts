/** Waits for a promise, but not longer than some time; whether it came in time. Rejects if it does. */
export async function within(promise: Promise<unknown>, timeMsMax: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeMsMax);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
