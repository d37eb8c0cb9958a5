import type { Socket } from 'node:net';

/** What a connection without TLS speaks. */
export type WireProtocol = 'http1' | 'http2';

/** With this every HTTP/2 connection begins (RFC 9113, 3.4), and no HTTP/1.1 request does. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** What these first bytes of a connection say; undefined: not enough yet to tell. */
export function detectProtocol(bytes: Buffer): WireProtocol | undefined {
  const length = Math.min(bytes.length, PREFACE.length);
  if (!bytes.subarray(0, length).equals(PREFACE.subarray(0, length))) return 'http1';
  return length === PREFACE.length ? 'http2' : undefined;
}

/**
 * Looks at the first bytes of a connection, puts them back, and tells what it speaks. A connection that
 * does not say so in time is ended.
 */
export function readProtocol(
  socket: Socket,
  timeoutMs: number,
  onDetected: (protocol: WireProtocol) => void,
): void {
  let bytes = Buffer.alloc(0);
  const onReadable = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    bytes = Buffer.concat([bytes, chunk]);
    const protocol = detectProtocol(bytes);
    if (protocol === undefined) return;
    stop();
    socket.unshift(bytes);
    onDetected(protocol);
  };
  const onGone = (): void => {
    stop();
    socket.destroy();
  };
  const timer = setTimeout(onGone, timeoutMs).unref();
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('readable', onReadable).off('end', onGone).off('close', onGone);
  };
  // Whatever goes wrong ends in "close"; the servers behind this listen for themselves.
  socket.on('error', () => undefined);
  socket.on('readable', onReadable).on('end', onGone).on('close', onGone);
}
