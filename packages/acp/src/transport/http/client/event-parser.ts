import { createParser, type EventSourceParser, type ParseError } from 'eventsource-parser';
import type { StreamEnd } from '../http-header.ts';
import { HttpTransportError } from './http-transport-error.ts';
import { mayBeUsual, takeUsualEvents } from './usual-events.ts';

/** What one piece of a stream brought. */
export interface ParsedEvents {
  /** The frames of the events that are complete. */
  readonly frames: string[];
  /** The id of the last event that is complete, if it had one. */
  readonly lastId: string | undefined;
  /** Whether there was a comment: a sign of life. */
  readonly hasComment: boolean;
  /** Why the server ends the stream, if it said so. */
  readonly end: StreamEnd | undefined;
}

const STREAM_ENDS: readonly string[] = ['closed', 'replaced', 'slow'] satisfies StreamEnd[];

/** The end of a line and of an event, as most servers write it. */
const EMPTY_LINE = '\n\n';

/** What lines add to the text of a message: the field's name and its separator. */
const FIELD_LENGTH_MAX = 1024;

/** Takes the frames out of the text of one response, however it is cut into pieces (B168). */
export class EventParser {
  readonly #parser: EventSourceParser;
  /** Whether the parser is between two events, so that it does not have to see the next ones. */
  #isBetween = true;
  #frames: string[] = [];
  #lastId: string | undefined;
  #hasComment = false;
  #end: StreamEnd | undefined;
  #error: ParseError | undefined;

  /** @param frameLengthMax the longest message that is taken in, in characters. */
  constructor(frameLengthMax: number) {
    this.#parser = createParser({
      maxBufferSize: frameLengthMax + FIELD_LENGTH_MAX,
      onEvent: ({ id, data }) => {
        // An event that only tells an id has no data.
        if (data !== '') this.#frames.push(onOneLine(data));
        if (id !== undefined) this.#lastId = id;
      },
      onComment: (comment) => {
        this.#hasComment = true;
        if (isStreamEnd(comment)) this.#end = comment;
      },
      onError: (error) => {
        // Unknown fields are to be ignored, as the standard says.
        if (error.type === 'max-buffer-size-exceeded') this.#error = error;
      },
    });
  }

  /** @throws HttpTransportError `too_large`; of no use afterwards. */
  feed(text: string): ParsedEvents {
    this.#frames = [];
    this.#lastId = undefined;
    this.#hasComment = false;
    this.#take(text);
    if (this.#error !== undefined) {
      const message = 'the server sent a message that is longer than the limit';
      throw new HttpTransportError('too_large', message, { cause: this.#error });
    }
    return {
      frames: this.#frames,
      lastId: this.#lastId,
      hasComment: this.#hasComment,
      end: this.#end,
    };
  }

  #take(text: string): void {
    const isUsual = mayBeUsual(text);
    for (let at = 0; at < text.length;) {
      if (this.#isBetween && isUsual) {
        const { end, lastId } = takeUsualEvents(text, at, this.#frames);
        this.#lastId = lastId ?? this.#lastId;
        at = end;
      }
      const end = isUsual ? text.indexOf(EMPTY_LINE, at) : -1;
      at = this.#parse(text, at, end < 0 ? text.length : end + EMPTY_LINE.length);
    }
  }

  /** Lets the parser have a part of the text. @returns the end of it. */
  #parse(text: string, start: number, end: number): number {
    if (start === end) return end;
    const part = start === 0 && end === text.length ? text : text.slice(start, end);
    this.#parser.feed(part);
    this.#isBetween = part.endsWith(EMPTY_LINE);
    return end;
  }
}

/** The lines of an event are one JSON text, in which a line end means as much as a space. */
function onOneLine(data: string): string {
  return data.includes('\n') ? data.replaceAll('\n', ' ') : data;
}

function isStreamEnd(comment: string): comment is StreamEnd {
  return STREAM_ENDS.includes(comment);
}
