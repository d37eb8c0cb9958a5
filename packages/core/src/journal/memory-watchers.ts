import type { StreamId } from './journal.ts';

interface Watcher {
  readonly onMoved: (headSeq: number) => void;
  /** The head to tell about in a call that is already scheduled. */
  due: number | undefined;
}

/** Who watches which stream of a memory journal. */
export interface MemoryWatchers {
  watch(stream: StreamId, onMoved: (headSeq: number) => void): () => void;
  /** Wakes the stream's watchers in a later microtask; several moves may become one call. */
  moved(stream: StreamId, headSeq: number): void;
  /** Ends every watch. */
  clear(): void;
}

export function createMemoryWatchers(): MemoryWatchers {
  const watchers = new Map<StreamId, Set<Watcher>>();

  return {
    watch(stream, onMoved) {
      const watcher: Watcher = { onMoved, due: undefined };
      const ofStream = watchers.get(stream) ?? new Set();
      watchers.set(stream, ofStream.add(watcher));
      return () => {
        ofStream.delete(watcher);
        watcher.due = undefined;
        if (ofStream.size === 0 && watchers.get(stream) === ofStream) watchers.delete(stream);
      };
    },
    moved(stream, headSeq) {
      for (const watcher of watchers.get(stream) ?? []) {
        const isScheduled = watcher.due !== undefined;
        watcher.due = headSeq;
        if (!isScheduled) void Promise.resolve().then(() => call(watcher));
      }
    },
    clear() {
      for (const ofStream of watchers.values()) for (const one of ofStream) one.due = undefined;
      watchers.clear();
    },
  };
}

function call(watcher: Watcher): void {
  const headSeq = watcher.due;
  watcher.due = undefined;
  // A watch that ended meanwhile hears nothing more.
  if (headSeq !== undefined) watcher.onMoved(headSeq);
}
