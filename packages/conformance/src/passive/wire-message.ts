import { memberText } from '@signalbox/acp';
import { excerpt } from '../findings/excerpt.ts';
import { at, isObject, parseJson, type JsonObject } from '../json/json.ts';
import type { Side } from '../requirements/requirement.ts';
import type { TraceEntry } from '../trace/trace-entry.ts';

/**
 * A line of a trace, decoded as far as it can be. Unlike a peer, which refuses a broken message, this
 * keeps what can be read of it, since it is the broken messages that have to be judged.
 */
export interface WireMessage {
  /** Its place in the trace. */
  readonly index: number;
  readonly t: number;
  readonly sender: Side;
  readonly entry: TraceEntry;
  readonly kind: 'request' | 'notification' | 'response' | 'other';
  /** The decoded JSON; undefined when the line is no JSON. */
  readonly value: unknown;
  /** The exact text of `id`; undefined when there is none. */
  readonly idText: string | undefined;
  /** Empty in a response. */
  readonly method: string;
  readonly params: unknown;
  readonly result: unknown;
  readonly error: unknown;
  /** Whether a response is an error. */
  readonly isError: boolean;
}

/** Decodes one line. Never throws. */
export function decodeMessage(entry: TraceEntry, index: number): WireMessage {
  const value = entry.bytes === undefined ? parseJson(entry.text) : undefined;
  const object: JsonObject = isObject(value) ? value : {};
  const method = object['method'];
  return {
    index,
    t: entry.t,
    sender: entry.dir === 'a2c' ? 'agent' : 'client',
    entry,
    kind: kindOf(object),
    value,
    idText: 'id' in object ? memberText(entry.text, 'id') : undefined,
    method: typeof method === 'string' ? method : '',
    params: object['params'],
    result: object['result'],
    error: object['error'],
    isError: isPresentError(object),
  };
}

/** What proves a finding: a line of the trace, or in other words what crossed the wire. */
export type Proof = WireMessage | string | undefined;

/** The proof for a report. */
export function quote(message: WireMessage | string): string {
  if (typeof message === 'string') return excerpt(message);
  return `line ${message.index + 1} ${message.entry.dir}: ${excerpt(message.entry.text)}`;
}

/** The error code of a response; undefined if it is no error or has no numeric code. */
export function errorCode(message: WireMessage | undefined): number | undefined {
  const code = at(message?.error, 'code');
  return typeof code === 'number' ? code : undefined;
}

function kindOf(object: JsonObject): WireMessage['kind'] {
  if (typeof object['method'] === 'string') return 'id' in object ? 'request' : 'notification';
  return 'result' in object || 'error' in object ? 'response' : 'other';
}

function isPresentError(object: JsonObject): boolean {
  // An error of a wrong form is one all the same; what is wrong with it is a matter of its own.
  return typeof object['method'] !== 'string' && (object['error'] ?? null) !== null;
}
