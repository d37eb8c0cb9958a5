/** A place in one event stream: behind the last placed and the last unplaced frame that were sent. */
export interface StreamPosition {
  /** The cursor of the last placed frame; empty before the first. */
  readonly cursor: string;
  /** The number of the last unplaced frame; 0 before the first. */
  readonly number: number;
}

/** Where every stream begins. */
export const STREAM_START: StreamPosition = { cursor: '', number: 0 };

/** A cursor is as long as its maker likes; this keeps a header from being taken for one. */
const PATTERN = /^([A-Za-z0-9._-]{0,512})~(0|[1-9][0-9]{0,14})$/;

/** The text of a position: the `id` of an event, opaque to clients. */
export function toEventId({ cursor, number }: StreamPosition): string {
  return `${cursor}~${number}`;
}

/** The position that a client comes back with; undefined when the text is not one of ours. */
export function parseEventId(text: string): StreamPosition | undefined {
  const match = PATTERN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { cursor: match[1], number: Number(match[2]) };
}
