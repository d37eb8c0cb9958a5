/** Resolves after all promise reactions that are due now have run. */
export const afterMicrotasks: () => Promise<void> =
  typeof setImmediate === 'function'
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => {
            port1.close();
            resolve();
          });
          port1.start();
          port2.postMessage(0);
        });
