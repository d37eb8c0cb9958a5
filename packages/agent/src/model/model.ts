/** A resource that the prompt refers to or carries. */
export interface PromptResource {
  readonly uri: string;
  readonly name?: string;
  /** Where it is on this machine, for a `file:` URI. */
  readonly path?: string;
  /** Its text, if the prompt carries it. */
  readonly text?: string;
}

/** What the user said. */
export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
  readonly resources: readonly PromptResource[];
}

/** A tool call as the model asked for it. `input` is checked by the tool, not here. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** What the provider wants back with this part, such as a signature. Nobody else reads it. */
  readonly providerData?: unknown;
}

/** One part of an answer, in the order in which it came. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string; readonly providerData?: unknown }
  | ({ readonly kind: 'tool_call' } & ModelToolCall);

/** What the model said; every tool call in it has its result in the message that follows. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly AnswerPart[];
}

/** What came of one tool call. */
export interface ModelToolResult {
  readonly callId: string;
  readonly name: string;
  readonly isError: boolean;
  /** For a model that reads text. */
  readonly text: string;
  /** The same as data, where the tool has it. */
  readonly output?: unknown;
}

/** The results of the tool calls of the assistant message before it, in the same order. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ModelToolResult[];
}

export type ModelMessage = UserMessage | AssistantMessage | ToolMessage;

/** A tool as the model is told about it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One request: the whole conversation, and what the answer may use. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /** Output tokens that are left for this turn. */
  readonly outputTokensMax: number;
  /** Aborted when the turn is cancelled; the answer is then of no interest any more. */
  readonly signal: AbortSignal;
}

/** Why the model stopped. */
export type ModelStopReason = 'end' | 'tool_calls' | 'length' | 'refusal';

/** A piece of the answer. The last one is `stop`. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string; readonly providerData?: unknown }
  | ({ readonly kind: 'tool_call' } & ModelToolCall)
  | { readonly kind: 'usage'; readonly inputTokens: number; readonly outputTokens: number }
  | { readonly kind: 'stop'; readonly reason: ModelStopReason };

/**
 * A language model, behind which any provider can be put. It keeps nothing between requests: the
 * conversation is in the request.
 */
export interface Model {
  /** Tokens that fit into a request and its answer; absent if nobody knows. */
  readonly contextTokensMax?: number;
  /** What can be asked of it, in Markdown, for `/help`. */
  readonly help?: string;
  /** Streams one answer. Throws {@link ModelFailure} when there is none. */
  respond(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** The model gave no answer. The message is shown to the user, so it must hold no secrets. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
}

/** Whether `error` is a {@link ModelFailure}, also one of another bundled copy. */
export function isModelFailure(error: unknown): error is ModelFailure {
  return error instanceof Error && error.name === 'ModelFailure';
}
