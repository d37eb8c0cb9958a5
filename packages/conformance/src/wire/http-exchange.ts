import { excerpt } from '../findings/excerpt.ts';

/** The fields of a request or an answer; names are in lower case. */
export type WireHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An answer to an HTTP request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: WireHeaders;
  /** The whole body; empty for an event stream, whose events are logged one by one. */
  readonly body: string;
  /** When its head came, in ms on the clock of the process. */
  readonly at: number;
}

/** One HTTP request, and its answer once there is one. */
export interface HttpExchange {
  readonly method: string;
  readonly headers: WireHeaders;
  readonly body: string;
  /** When it was sent, or had arrived, in ms on the clock of the process. */
  readonly at: number;
  answer: HttpAnswer | undefined;
}

/** A request that has been answered. */
export type AnsweredExchange = HttpExchange & { readonly answer: HttpAnswer };

/** Fields that say something of the protocol. No other one is shown: it may hold a credential. */
const SHOWN = [
  'accept',
  'content-type',
  'acp-connection-id',
  'acp-session-id',
  'acp-protocol-version',
  'last-event-id',
  'origin',
];
const BODY_LENGTH_MAX = 160;

/** The value of a field; of several ones the first. */
export function headerOf(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** An exchange for a report. */
export function quoteExchange({ method, headers, body, answer }: HttpExchange): string {
  const fields = SHOWN.flatMap((name) => {
    const value = headerOf(headers, name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const parts = [method, ...(fields.length === 0 ? [] : [`(${fields.join(', ')})`])];
  if (body !== '') parts.push(excerpt(body, BODY_LENGTH_MAX));
  parts.push('→', answer === undefined ? 'no answer' : String(answer.status));
  if (answer !== undefined && answer.body !== '') {
    parts.push(excerpt(answer.body, BODY_LENGTH_MAX));
  }
  return parts.join(' ');
}
