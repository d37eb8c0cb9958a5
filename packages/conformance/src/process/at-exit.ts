const cleanups = new Set<() => void>();
let isListening = false;

/**
 * Does something when this process ends before a check was over, as on Ctrl-C: programs under test have process groups
 * of their own and would go on.
 *
 * @returns forgets it.
 */
export function atExit(cleanup: () => void): () => void {
  cleanups.add(cleanup);
  if (!isListening) {
    isListening = true;
    process.on('exit', () => {
      // The newest first: programs may still write into the folder that was made for them.
      for (const each of [...cleanups].reverse()) each();
    });
  }
  return () => cleanups.delete(cleanup);
}
