import { CloseCode, isOrdinaryEnd } from './close-code.ts';
import { WebSocketError } from './web-socket-error.ts';

/** The failure of a socket that was closed with this code; undefined if that is an ordinary end. */
export function closedFailure(closeCode: number, reason: string): WebSocketError | undefined {
  if (isOrdinaryEnd(closeCode)) return undefined;
  if (closeCode === CloseCode.Abnormal) {
    const message = 'the connection broke without a word of the other side';
    return new WebSocketError('cut', message, { closeCode });
  }
  const because = reason === '' ? '' : ` (${reason})`;
  const message = `the other side closed the connection with code ${closeCode}${because}`;
  return new WebSocketError('closed', message, { closeCode, reason });
}

/** The failure of a socket that closed itself with this code. @param cause what it found wrong. */
export function violation(closeCode: number, cause: Error): WebSocketError {
  const message = `the other side broke a rule of the connection (${cause.message})`;
  return new WebSocketError('violation', message, { closeCode, reason: cause.message, cause });
}

/** The failure of a connection whose other side does not read. @param stallMs for how long. */
export function stalled(stallMs: number): WebSocketError {
  const message = `something waits for the other side, and it took nothing in for ${stallMs} ms`;
  return new WebSocketError('slow', message, { closeCode: CloseCode.Slow, reason: 'slow' });
}

/** The failure of a connection that is not read on this side. @param lengthMax what may wait. */
export function overrun(lengthMax: number): WebSocketError {
  const message = `more than ${lengthMax} characters have arrived that nobody has taken`;
  return new WebSocketError('overrun', message, { closeCode: CloseCode.Slow, reason: 'slow' });
}

/** The failure of a connection whose other side is gone without a sign. */
export function unresponsive(): WebSocketError {
  const message = 'the other side no longer answers, although the connection looks open';
  return new WebSocketError('unresponsive', message);
}
