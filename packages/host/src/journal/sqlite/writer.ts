/**
 * The writer's thread: the only connection of this process that writes, so that neither a wait for
 * the disk nor a checkpoint stops the event loop of the host.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createApplier } from './apply-operation.ts';
import { commitGroup } from './commit-group.ts';
import type { Operation, Outcome, WriterRequest, WriterSettings } from './operations.ts';
import { openDatabase } from './sqlite-database.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { createWalLimiter } from './wal-limit.ts';

interface Writer {
  readonly db: SqliteDatabase;
  readonly commit: (group: readonly Operation[]) => Outcome[];
  readonly limitWal: () => void;
}

const settings = workerData as WriterSettings;
let writer: Writer | undefined;

parentPort?.on('message', (request: WriterRequest) => {
  if (request === 'close') {
    writer?.db.close();
    parentPort?.close();
    return;
  }
  // Opened by the first group: a thread that never wrote can be ended at any time.
  writer ??= openWriter(settings);
  parentPort?.postMessage(writer.commit(request));
  writer.limitWal();
});

function openWriter({ file, durability, sizeBytesMax }: WriterSettings): Writer {
  const db = openDatabase(file);
  db.pragma(`synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
  if (sizeBytesMax !== undefined) {
    const pageBytes = Number(db.pragma('page_size', { simple: true }));
    db.pragma(`max_page_count = ${Math.max(1, Math.floor(sizeBytesMax / pageBytes))}`);
  }
  const apply = createApplier(db);
  return {
    db,
    commit: (group) => commitGroup(db, apply, group, file),
    limitWal: createWalLimiter(db, file),
  };
}
