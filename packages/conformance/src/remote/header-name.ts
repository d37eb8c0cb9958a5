/** The header fields of the transports, in lower case, as Node gives them. */
export const HeaderName = {
  connection: 'acp-connection-id',
  session: 'acp-session-id',
  version: 'acp-protocol-version',
} as const;

export const JSON_TYPE = 'application/json';
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** The media type of a `Content-Type`, without its parameters. */
export function mediaType(value: string | undefined): string {
  return (value ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Whether an `Accept` takes event streams. */
export function takesEvents(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((type) => mediaType(type) === EVENT_STREAM_TYPE);
}

/** Whether an answer says that it is an event stream. */
export function isEventStream(headers: Readonly<Record<string, unknown>>): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && mediaType(type) === EVENT_STREAM_TYPE;
}
