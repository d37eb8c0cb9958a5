import type { ResponseMessage } from '@signalbox/acp';
import type { ContentRef } from '@signalbox/core';
import { ClientError } from '../client-error.ts';
import { Sha256 } from './sha256.ts';

/** How much of a string is read at a time, in UTF-8 bytes. */
export const CONTENT_PART_BYTES = 1024 * 1024;

const DIGEST_NAME = 'sha256:';

/** Asks the server for a part of a string. */
export type ReadPart = (params: {
  readonly seq: number;
  readonly pointer: string;
  readonly offset: number;
  readonly length: number;
}) => Promise<ResponseMessage>;

/**
 * Reads a large string that stayed with the server, part by part, and checks that it is the one that the
 * log names.
 *
 * @param onPart given each part in order; the next one is read when it has returned. What it was given
 *   is only known to be right when the whole has been read.
 * @throws ClientError `digest_mismatch`, `invalid_response`, `invalid_argument`; RpcError of the server.
 */
export async function readContent(
  ref: ContentRef,
  readPart: ReadPart,
  onPart: (text: string) => void | Promise<void>,
): Promise<void> {
  const { seq, pointer, bytes, digest } = ref;
  if (seq === undefined || !digest.startsWith(DIGEST_NAME)) {
    const message = `the reference to ${pointer} does not say which event it is of, or has no SHA-256`;
    throw new ClientError('invalid_argument', message);
  }
  const encoder = new TextEncoder();
  const sha = new Sha256();
  let offset = 0;
  for (let isLast = false; !isLast;) {
    const part = toPart(await readPart({ seq, pointer, offset, length: CONTENT_PART_BYTES }), ref);
    const encoded = encoder.encode(part.text);
    if (part.offset !== offset || (encoded.length === 0 && !part.isLast)) {
      throw malformed(ref, `the part at ${offset} is not what was asked for`);
    }
    sha.update(encoded);
    offset += encoded.length;
    if (offset > bytes) throw mismatch(ref);
    isLast = part.isLast;
    await onPart(part.text);
  }
  if (offset !== bytes || DIGEST_NAME + sha.digest() !== digest) throw mismatch(ref);
}

interface Part {
  readonly text: string;
  readonly offset: number;
  readonly isLast: boolean;
}

function toPart({ result }: ResponseMessage, ref: ContentRef): Part {
  const { text, offset, isLast } = (result ?? {}) as Partial<Record<string, unknown>>;
  if (typeof text === 'string' && typeof offset === 'number' && typeof isLast === 'boolean') {
    return { text, offset, isLast };
  }
  throw malformed(ref, 'a part has no text or no place');
}

function malformed({ seq, pointer }: ContentRef, what: string): ClientError {
  const message = `reading ${pointer} of event ${seq}: ${what}`;
  return new ClientError('invalid_response', message);
}

function mismatch({ seq, pointer }: ContentRef): ClientError {
  const message = `what was read of ${pointer} of event ${seq} is not what the log names; read it anew`;
  return new ClientError('digest_mismatch', message);
}
