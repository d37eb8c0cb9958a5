import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A pipe whose write end a child can have as both its stdout and its stderr. */
export interface OutputPipe {
  /** Paused, to be resumed by who listens. */
  readonly readEnd: Socket;
  /** To be destroyed as soon as the child has its own copies, or the read end never ends. */
  readonly writeEnd: Socket;
}

/**
 * Makes such a pipe. With one pipe for both, what a command writes arrives in the order in which it was
 * written; the two pipes that `spawn` makes by itself lose the order between them. Node has no call for
 * a pair of sockets, so they meet in a directory that only this user can enter.
 */
export async function createOutputPipe(): Promise<OutputPipe> {
  const folder = await mkdtemp(join(temporaryFolder(), 'signalbox-'));
  // Paused, or the end of a command without output would come before anybody listens.
  const server = createServer({ pauseOnConnect: true });
  try {
    const path = join(folder, 'output');
    server.listen(path);
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const writeEnd = connect(path);
    const [[readEnd]] = await Promise.all([accepted, once(writeEnd, 'connect')]);
    // An error that nobody listens to would end the host (B106).
    for (const end of [readEnd, writeEnd]) end.on('error', () => undefined);
    return { readEnd, writeEnd };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The address of a socket has room for 108 bytes, on some systems for 104. */
function temporaryFolder(): string {
  return Buffer.byteLength(tmpdir()) > 70 ? '/tmp' : tmpdir();
}
