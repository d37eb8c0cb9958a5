import { memberText } from '../../jsonrpc/member-text.ts';

/** What a transport has to know of a frame in order to route it. */
export interface Envelope {
  readonly kind: 'request' | 'notification' | 'response' | 'other';
  /** The exact text of the id, of requests and responses. */
  readonly idText?: string;
  /** Of requests and notifications. */
  readonly method?: string;
  /** The session that the params name. */
  readonly sessionId?: string;
  /** Of a response: whether it is an error. */
  readonly isError?: boolean;
}

/** A response as our own peer and the official SDK write it, with an id that has nothing odd in it. */
const USUAL_RESPONSE = /^\{"jsonrpc":"2\.0","id":("[^"\\]*"|[^,"]+),"(result|error)":/;

/** Reads the envelope of a frame. Anything may be in it: what is no message is of kind `other`. */
export function readEnvelope(frame: string): Envelope {
  // A result may be large, and nothing of it is needed.
  const response = USUAL_RESPONSE.exec(frame);
  if (response?.[1] !== undefined) {
    return { kind: 'response', idText: response[1], isError: response[2] === 'error' };
  }
  const message = parseObject(frame);
  if (message === undefined) return { kind: 'other' };
  const idText = message.id === undefined ? undefined : memberText(frame, 'id');
  if (typeof message.method !== 'string') {
    if (idText === undefined || !('result' in message || 'error' in message)) {
      return { kind: 'other' };
    }
    return { kind: 'response', idText, isError: (message.error ?? null) !== null };
  }
  const { method } = message;
  const session = sessionIdOf(message.params);
  const named = session === undefined ? {} : { sessionId: session };
  if (idText === undefined) return { kind: 'notification', method, ...named };
  return { kind: 'request', idText, method, ...named };
}

/** The session that params or a result name; undefined if they name none. */
export function sessionIdOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { sessionId } = value as { sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : undefined;
}

interface Members {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly error?: unknown;
}

function parseObject(frame: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(frame);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
