import {
  ErrorCode,
  isPeerError,
  memberText,
  RawJson,
  RpcError,
  withMembers,
  type ClientCapabilities,
  type Clock,
} from '@signalbox/acp';
import type { AttachedClient } from './attached-client.ts';

/** How long a person may take to answer what an agent asks, in ms. */
export const ELICITATION_TIMEOUT_MS = 10 * 60_000;
/** Elicitations by URL of one agent that may still be told to be complete; the oldest are forgotten. */
export const URL_ELICITATIONS_MAX = 64;

/** What an agent is told when nobody can answer (any more): nobody has declined, nobody has accepted. */
export const ELICITATION_CANCELLED = new RawJson('{"action":"cancel"}');

/** What an agent asks, exactly, and how long that makes sense. */
export interface Elicitation {
  /** The params for the client, in its own terms. */
  readonly raw: RawJson;
  /** Aborted when the agent takes its request back, or is gone. */
  readonly signal: AbortSignal;
  /** Aborted when the client's request that this belongs to is over. */
  readonly cause?: AbortSignal;
}

/** What {@link Elicitations} need. */
export interface ElicitationsParts {
  readonly clock: Clock;
  /** Default {@link ELICITATION_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
}

/** What one agent asks people, through clients. Each gets an answer in bounded time. */
export class Elicitations {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** Who was asked to open a URL, by the id of the elicitation. */
  readonly #byUrl = new Map<string, AttachedClient>();
  #askingCount = 0;

  constructor({ clock, timeoutMs = ELICITATION_TIMEOUT_MS }: ElicitationsParts) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether somebody is being asked. */
  get isAsking(): boolean {
    return this.#askingCount > 0;
  }

  /**
   * Asks through a client.
   *
   * @returns its exact answer; {@link ELICITATION_CANCELLED} when the time is over, the client is gone, or
   *   the request that this belongs to is over.
   * @throws RpcError that the client answers with; -32800 when the agent takes its request back.
   */
  async ask(client: AttachedClient, { raw, signal, cause }: Elicitation): Promise<RawJson> {
    const late = new AbortController();
    const clearTimer = this.#clock.setTimer(this.#timeoutMs, () => late.abort());
    const reasons = [signal, late.signal, ...(cause === undefined ? [] : [cause])];
    const elicitationId = urlElicitationId(raw);
    this.#note(elicitationId, client);
    this.#askingCount++;
    let isAgreed = false;
    try {
      const answer = await this.#request(client, raw, AbortSignal.any(reasons));
      if (signal.aborted) throw new RpcError(ErrorCode.RequestCancelled, 'Request cancelled');
      isAgreed = isAccepted(answer);
      return answer;
    } finally {
      clearTimer();
      this.#askingCount--;
      // What nobody has agreed to is never complete.
      if (!isAgreed && elicitationId !== undefined) this.#byUrl.delete(elicitationId);
    }
  }

  /** The agent says that one is complete: whoever was asked is told, and nobody else (R-ELI-15). */
  complete(params: RawJson): void {
    const { elicitationId } = params.value as { elicitationId: string };
    const client = this.#byUrl.get(elicitationId);
    this.#byUrl.delete(elicitationId);
    client?.elicitationComplete(params);
  }

  /** The agent is gone: nothing of it will be complete any more. */
  forget(): void {
    this.#byUrl.clear();
  }

  /** The client does not want to hear of anything any more. */
  forgetClient(client: AttachedClient): void {
    for (const [id, asked] of this.#byUrl) if (asked === client) this.#byUrl.delete(id);
  }

  /** A client that does not answer to being called back is not waited for. */
  async #request(client: AttachedClient, raw: RawJson, signal: AbortSignal): Promise<RawJson> {
    const over = new Promise<RawJson>((resolve) => {
      const onAbort = (): void => resolve(ELICITATION_CANCELLED);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    const answer = client.request('elicitation/create', raw, signal).catch((error: unknown) => {
      if (!isPeerError(error)) throw error;
      if (error.code === 'closed' || error.code === 'aborted') return ELICITATION_CANCELLED;
      const message = `The client that was asked did not answer: ${error.message}`;
      throw new RpcError(ErrorCode.InternalError, message, { reason: error.code });
    });
    return Promise.race([over, answer]);
  }

  #note(elicitationId: string | undefined, client: AttachedClient): void {
    if (elicitationId === undefined) return;
    this.#byUrl.delete(elicitationId);
    this.#byUrl.set(elicitationId, client);
    for (const oldest of this.#byUrl.keys()) {
      if (this.#byUrl.size <= URL_ELICITATIONS_MAX) break;
      this.#byUrl.delete(oldest);
    }
  }
}

/** A mode that an elicitation may have, as far as it is known (R-ELI-23). */
type ElicitationMode = 'form' | 'url';

/**
 * The mode of an elicitation that was offered to the agent.
 *
 * @throws RpcError -32602 for a mode that was not offered, known or not (R-ELI-03).
 */
export function offeredMode(params: unknown, offered: ClientCapabilities): ElicitationMode {
  const { mode } = params as { readonly mode?: unknown };
  const isKnown = mode === 'form' || mode === 'url';
  if (isKnown && offered.elicitation?.[mode] != null) return mode;
  const message = `Invalid params: /mode: elicitation by ${String(mode)} was not offered`;
  throw new RpcError(ErrorCode.InvalidParams, message, { mode });
}

/** The params of an elicitation that belongs to the client's request of this id, and to no session. */
export function underRequest(raw: RawJson, idText: string): RawJson {
  const requestId = new RawJson(idText);
  return withMembers(raw, { sessionId: undefined, toolCallId: undefined, requestId });
}

/** The params of an elicitation that belongs to a session. */
export function underSession(raw: RawJson, sessionId: string): RawJson {
  return withMembers(raw, { requestId: undefined, sessionId });
}

function urlElicitationId(raw: RawJson): string | undefined {
  const { mode, elicitationId } = raw.value as Record<string, unknown>;
  return mode === 'url' && typeof elicitationId === 'string' ? elicitationId : undefined;
}

/** Whether the person goes on. By URL that is consent and no more (R-ELI-14): the end is told later. */
function isAccepted(answer: RawJson): boolean {
  return memberText(answer.text, 'action') === '"accept"';
}
