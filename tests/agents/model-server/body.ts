import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** The largest request that is read, in bytes, packed or not. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/**
 * Reads a request's body.
 *
 * @throws Error when it is too large or packed in a way that is not known.
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_BYTES_MAX) throw new Error('the request is too large');
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return bytes.toString('utf8');
  const unpack = UNPACK[encoding];
  if (unpack === undefined) throw new Error(`the content encoding ${encoding} is not known`);
  return unpack(bytes, { maxOutputLength: BODY_BYTES_MAX }).toString('utf8');
}
