import { isRpcError } from '@signalbox/acp';
import { ClientError, isClientError, type ClientErrorCode } from '../client-error.ts';
import type { DoorKind } from './door.ts';

/** What a failed attempt to connect means for the next one. */
export type Verdict =
  /** It may work later: the server is away, busy or cut off. */
  | {
      readonly kind: 'transient';
      readonly error: Error;
      /** How long the server asks to be left alone, in ms; at most {@link RETRY_AFTER_MS_MAX}. */
      readonly retryAfterMs?: number;
    }
  /** This door will not open; another one may. */
  | { readonly kind: 'refused'; readonly error: ClientError }
  /** No attempt will work (B150). */
  | { readonly kind: 'permanent'; readonly error: ClientError };

/** The longest that a server can ask a client to wait. */
export const RETRY_AFTER_MS_MAX = 300_000;

/** Statuses that say what is wrong with the address or with whoever asks. */
const PERMANENT: Readonly<Record<number, readonly [ClientErrorCode, string]>> = {
  401: ['unauthorized', 'the server does not accept the sign-in; sign in anew'],
  403: ['forbidden', 'the server does not let this client in'],
  404: ['not_found', 'there is no such endpoint or agent at this address'],
  410: ['gone', 'the endpoint is gone for good'],
};

/** Statuses of the range 400 to 499 that may be different the next time. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 421, 423, 425, 429]);
/** `Not implemented`: the server does not know the door. */
const NOT_IMPLEMENTED = 501;
/** Causes that are looked at behind an error. */
const CAUSES_MAX = 8;

/** Judges a failed attempt. Nothing is said here of connections that came about and were lost later. */
export function judgeFailure(cause: unknown, door: DoorKind): Verdict {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  if (isClientError(error, 'protocol_version') || isClientError(error, 'not_supported')) {
    return { kind: 'permanent', error };
  }
  // An answer of the server itself, such as that its agent does not start: that may be mended.
  if (isRpcError(error)) return { kind: 'transient', error };
  const refusal = causeWith(error, 'status');
  if (refusal === undefined) {
    // No socket can be made at all, as where the page's policy forbids it.
    if (codeOf(error) !== 'not_created') return toTransient(error);
    return { kind: 'refused', error: new ClientError('not_supported', error.message, { cause }) };
  }
  const { status, message } = refusal;
  const known = PERMANENT[status];
  // Something between here and the server may let no socket through, which is the door's fault alone.
  if (known !== undefined && (door !== 'websocket' || status === 401)) {
    const [code, text] = known;
    return { kind: 'permanent', error: new ClientError(code, `${text}: ${message}`, { cause }) };
  }
  if (!isRefusal(status)) return toTransient(error);
  const text = `the server does not offer ${door}: ${message}`;
  const code = known?.[0] ?? 'not_supported';
  return { kind: 'refused', error: new ClientError(code, text, { cause }) };
}

function isRefusal(status: number): boolean {
  if (status === NOT_IMPLEMENTED) return true;
  return status >= 400 && status < 500 && !PASSING.has(status);
}

function toTransient(error: Error): Verdict {
  const asked = causeWith(error, 'retryAfterMs')?.retryAfterMs;
  if (asked === undefined) return { kind: 'transient', error };
  return { kind: 'transient', error, retryAfterMs: Math.min(asked, RETRY_AFTER_MS_MAX) };
}

function codeOf(error: Error): unknown {
  return (error as { code?: unknown }).code;
}

/** An error that has such a number: this one or one of its causes. */
function causeWith<Member extends 'status' | 'retryAfterMs'>(
  error: Error,
  member: Member,
): (Error & Readonly<Record<Member, number>>) | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && at instanceof Error; depth++) {
    if (hasNumber(at, member)) return at;
    at = at.cause;
  }
  return undefined;
}

function hasNumber<Member extends string>(
  error: Error,
  member: Member,
): error is Error & Readonly<Record<Member, number>> {
  return typeof (error as Partial<Record<Member, unknown>>)[member] === 'number';
}
