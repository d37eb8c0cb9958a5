import type { Answer, ModelRequest } from './conversation.ts';

/** One frame of a streamed answer. */
export interface Frame {
  /** The event's name, where the wire format names events. */
  readonly event?: string;
  readonly data: unknown;
  /** It carries text of the answer, so the answer's pause follows it. */
  readonly isPiece?: boolean;
}

/** What a writer needs beside the answer. */
export interface AnswerContext {
  readonly request: ModelRequest;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Makes ids that no other answer of this server has. */
  readonly newId: (prefix: string) => string;
}

/** A wire format of a model server. */
export interface Dialect {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini';
  /** Whether requests to this path are in this format. */
  serves(path: string): boolean;
  read(body: unknown, url: URL): ModelRequest;
  /** The frames of a streamed answer; the last one says why it ended. */
  frames(answer: Answer, context: AnswerContext): Iterable<Frame>;
  /** The answer in one object. */
  whole(answer: Answer, context: AnswerContext): unknown;
  errorBody(status: number): unknown;
}

/** Seconds since 1970, which is what these formats write. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
