import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { HttpProblem } from './http-problem.ts';

/** How long the rest of a refused body is read and thrown away, in ms. */
const DISCARD_MS = 2000;

/** The client went away before its request was complete: there is nobody to answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/**
 * The body of a request as text; undefined when it is not UTF-8. It is counted while it is read, so a
 * length that was announced falsely does not matter.
 *
 * @throws HttpProblem 413 at the first byte over the limit; RequestAborted.
 */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<string | undefined> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax);
  const body = await readBytes(request, bytesMax);
  if (!isUtf8(body)) return undefined;
  const text = body.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop();
      reject(new RequestAborted('the client went away before its request was complete'));
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= bytesMax) {
        chunks.push(chunk);
      } else {
        stop();
        reject(tooLarge(bytesMax));
      }
    };
    const finish = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const stop = (): void => {
      request.off('data', take).off('end', finish).off('close', abort);
    };
    request.on('data', take).on('end', finish).on('close', abort);
    request.on('error', abort);
  });
}

function tooLarge(bytesMax: number): HttpProblem {
  const detail = `The body is over the limit of ${bytesMax} bytes. Send less in one message.`;
  return new HttpProblem(413, 'body_too_large', detail);
}

/**
 * Lets the client of a refused request finish for a moment, since many read the answer only then. One that
 * goes on for longer is cut off.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.readableEnded) return;
  const timer = setTimeout(() => request.destroy(), DISCARD_MS).unref();
  const stop = (): void => clearTimeout(timer);
  request.on('close', stop).on('end', stop).on('error', stop);
  request.resume();
}
