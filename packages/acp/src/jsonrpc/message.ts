import { memberText } from './member-text.ts';
import { RawJson } from './raw-json.ts';
import { RpcErrorCode } from './rpc-error.ts';

/** The exact JSON text of a request id, for example `7`, `"7"` or `9007199254740993`. */
export type IdText = string & { readonly __brand: 'IdText' };

/** A decoded JSON-RPC item. `text` is the frame it came in. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage | MalformedMessage;

/** A request, decoded. `text` is the frame, exactly; params are as they came, unchecked. */
export interface RequestMessage {
  readonly kind: 'request';
  readonly idText: IdText;
  readonly method: string;
  readonly params: unknown;
  readonly text: string;
}

/** A notification, decoded. `text` is the frame, exactly; params are as they came, unchecked. */
export interface NotificationMessage {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: unknown;
  readonly text: string;
}

/** A response, decoded: `result`, or `error` when `isError`. `text` is the frame, exactly. */
export interface ResponseMessage {
  readonly kind: 'response';
  readonly id: unknown;
  readonly result: unknown;
  readonly error: unknown;
  readonly isError: boolean;
  readonly text: string;
}

/** A frame that is no message. Parsing never decides what to answer; `answer` says what would fit. */
export interface MalformedMessage {
  readonly kind: 'malformed';
  readonly reason: string;
  /** The error that JSON-RPC asks for, or undefined where an answer would be wrong (R-FRM-18). */
  readonly answer: { readonly code: number; readonly idText: IdText } | undefined;
  /** The id, if this was meant as a response. */
  readonly responseId?: unknown;
  readonly text: string;
}

const NULL_ID = 'null' as IdText;
const USUAL_START = '{"jsonrpc":"2.0","id":';

/** Decodes one frame (R-FRM-02, R-FRM-10 to R-FRM-19). Never throws. */
export function parseMessage(text: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed(text, 'not JSON', RpcErrorCode.ParseError, NULL_ID);
  }
  if (typeof value !== 'object' || value === null) {
    return malformed(text, 'not an object', RpcErrorCode.InvalidRequest, NULL_ID);
  }
  if (Array.isArray(value)) {
    return malformed(text, 'batches are not supported', RpcErrorCode.InvalidRequest, NULL_ID);
  }
  return parseEnvelope(text, value as Record<string, unknown>);
}

function parseEnvelope(text: string, value: Record<string, unknown>): Message {
  const { method, id, params } = value as { method?: unknown; id?: unknown; params?: unknown };
  if (value['jsonrpc'] !== '2.0') return invalidEnvelope(text, value, 'jsonrpc is not "2.0"');
  if (typeof method !== 'string') {
    if (method !== undefined) return invalidEnvelope(text, value, 'method is not a string');
    if ('result' in value || 'error' in value) return parseResponse(text, value);
    return invalidEnvelope(text, value, 'neither a method nor a result');
  }
  if (params !== undefined && params !== null && typeof params !== 'object') {
    return invalidEnvelope(text, value, 'params is neither an object nor an array');
  }
  if (id === undefined) return { kind: 'notification', method, params, text };
  const idText = idTextOf(text, id);
  if (idText === undefined) return invalidEnvelope(text, value, 'id is no string and no integer');
  return { kind: 'request', idText, method, params, text };
}

function parseResponse(text: string, value: Record<string, unknown>): Message {
  const isError = 'error' in value;
  if (isError && 'result' in value && value['error'] !== null) {
    return brokenResponse(text, value, 'both a result and an error');
  }
  const failed = isError && value['error'] !== null;
  return {
    kind: 'response',
    id: value['id'],
    result: value['result'],
    error: value['error'],
    isError: failed || !('result' in value),
    text,
  };
}

/** Broken responses are never answered: two peers would answer each other for ever (R-FRM-18). */
function invalidEnvelope(text: string, value: Record<string, unknown>, reason: string): Message {
  if (value['method'] === undefined && ('result' in value || 'error' in value)) {
    return brokenResponse(text, value, reason);
  }
  // Something that is clearly meant as a notification must not be answered either (R-FRM-13).
  if (typeof value['method'] === 'string' && !('id' in value)) return malformed(text, reason);
  // Without a method it is no request of anybody, only a line of JSON, whatever its id says.
  const idText = 'method' in value ? idTextOf(text, value['id']) : undefined;
  return malformed(text, reason, RpcErrorCode.InvalidRequest, idText ?? NULL_ID);
}

function brokenResponse(
  text: string,
  value: Record<string, unknown>,
  reason: string,
): MalformedMessage {
  return { ...malformed(text, reason), responseId: value['id'] };
}

function malformed(text: string, reason: string, code?: number, idText?: IdText): MalformedMessage {
  const answer = code === undefined || idText === undefined ? undefined : { code, idText };
  return { kind: 'malformed', reason, answer, text };
}

/** The id in a text that may be cut short; undefined if it is not one that can be echoed. */
export function usableIdText(text: string | undefined): IdText | undefined {
  if (text === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(text);
    return typeof id === 'string' || Number.isInteger(id) ? (text as IdText) : undefined;
  } catch {
    return undefined;
  }
}

/** The exact text of a usable id; undefined for null, fractions and everything else (R-FRM-14). */
function idTextOf(text: string, id: unknown): IdText | undefined {
  if (typeof id !== 'string' && !Number.isInteger(id)) return undefined;
  // Nearly all peers begin a request like this, and then no search is needed.
  if (typeof id === 'number' && text.startsWith(`${USUAL_START}${id},`)) return `${id}` as IdText;
  return memberText(text, 'id') as IdText | undefined;
}

/** The exact text of a message's `params`, `result` or `error`; undefined if there is none. */
export function rawMember(
  message: { readonly text: string },
  member: 'params' | 'result' | 'error',
): RawJson | undefined {
  const text = memberText(message.text, member);
  return text === undefined ? undefined : new RawJson(text);
}
