import {
  ErrorCode,
  isPeerError,
  isRpcError,
  RpcError,
  type ClientCapabilities,
  type RawJson,
} from '@signalbox/acp';
import type { HostFact, TurnId } from '@signalbox/core';
import type { AttachedClient, Cause, ServedMethod } from './attached-client.ts';
import type { ClientServices, ServiceRequest } from './client-services.ts';
import { offeredMode, underRequest, underSession, type Elicitations } from './elicitations.ts';
import type { LocalServices } from './local-services.ts';

/** What {@link SessionServices} work with. */
export interface SessionServicesParts {
  readonly sessionId: string;
  readonly local: LocalServices;
  readonly elicitations: Elicitations;
  readonly record: (fact: HostFact) => void;
}

/**
 * Who serves the agent's requests: a client that is attached and announced them, since it knows unsaved
 * buffers and has a person in front of it, else the host itself. Both pass the path guard.
 */
export class SessionServices implements ClientServices {
  readonly #sessionId: string;
  readonly #local: LocalServices;
  readonly #elicitations: Elicitations;
  readonly #record: (fact: HostFact) => void;
  readonly #clients = new Set<AttachedClient>();
  /** Because of what the agent is being started, where a client has asked for it. */
  #cause: Cause | undefined;
  /** Terminals that a client made, by their id. */
  readonly #terminals = new Map<string, AttachedClient>();

  constructor({ sessionId, local, elicitations, record }: SessionServicesParts) {
    this.#sessionId = sessionId;
    this.#local = local;
    this.#elicitations = elicitations;
    this.#record = record;
  }

  /** @returns ends that the client serves anything. */
  attach(client: AttachedClient): () => void {
    this.#clients.add(client);
    return () => {
      this.#clients.delete(client);
      this.#elicitations.forgetClient(client);
      for (const [id, owner] of this.#terminals) if (owner === client) this.#terminals.delete(id);
    };
  }

  /**
   * The agent is started because of a client's request, for which it asks what it asks meanwhile.
   *
   * @returns ends that; what is still being asked is taken back.
   */
  startFor(cause: Cause): () => void {
    const over = new AbortController();
    const own = { ...cause, signal: AbortSignal.any([cause.signal, over.signal]) };
    this.#cause = own;
    return () => {
      if (this.#cause === own) this.#cause = undefined;
      over.abort();
    };
  }

  get isAsking(): boolean {
    return this.#elicitations.isAsking;
  }

  get capabilities(): ClientCapabilities {
    const offers = [...this.#clients].map(({ capabilities }) => capabilities);
    const elicitation = offers.find((offer) => offer.elicitation != null)?.elicitation;
    const session = offers.find((offer) => offer.session != null)?.session;
    return {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      ...(elicitation == null ? {} : { elicitation }),
      ...(session == null ? {} : { session }),
    };
  }

  async handle(request: ServiceRequest): Promise<unknown> {
    const { method, params } = request;
    if (method === 'elicitation/create') return this.#elicit(request);
    const client = this.#clientFor(method, params);
    if (method === 'fs/read_text_file' || method === 'fs/write_text_file') {
      const { path } = params as { path: string };
      if (client === undefined) return this.#local.handle(request);
      const kind = method === 'fs/read_text_file' ? 'read' : 'write';
      await this.#local.assertInside(path);
      // Before it is read, so that what somebody writes in between is not taken for seen.
      const noteRead = kind === 'read' ? await this.#local.lookAt(path, kind) : undefined;
      const result = await this.#forward(client, request);
      noteRead?.();
      if (kind === 'write') (await this.#local.lookAt(path, kind))();
      this.#recordAccess(kind, path, result, params);
      return result;
    }
    if (client === undefined) return this.#local.handle(request);
    const result = await this.#forward(client, request);
    if (method === 'terminal/create') {
      this.#terminals.set((result.value as { terminalId: string }).terminalId, client);
    } else if (method === 'terminal/release') {
      this.#terminals.delete((params as { terminalId: string }).terminalId);
    }
    return result;
  }

  async requestExtension(method: string, params: RawJson, signal: AbortSignal): Promise<RawJson> {
    for (const client of this.#clients) {
      try {
        return await client.requestExtension(method, params, signal);
      } catch (error) {
        // Another client may know it.
        if (!isPeerError(error) && !isUnknownMethod(error)) throw error;
      }
    }
    throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`, { method });
  }

  notifyExtension(method: string, params: RawJson): void {
    for (const client of this.#clients) client.notifyExtension(method, params);
  }

  elicitationComplete(params: RawJson): void {
    this.#elicitations.complete(params);
  }

  endTurn(turnId: TurnId): Promise<void> {
    return this.#local.endTurn(turnId);
  }

  async endAll(): Promise<void> {
    this.#terminals.clear();
    this.#elicitations.forget();
    await this.#local.endAll();
  }

  close(): Promise<void> {
    return this.#local.close();
  }

  #clientFor(
    method: Exclude<ServedMethod, 'elicitation/create'>,
    params: unknown,
  ): AttachedClient | undefined {
    switch (method) {
      case 'fs/read_text_file':
        return this.#clientWith(({ fs }) => fs?.readTextFile === true);
      case 'fs/write_text_file':
        return this.#clientWith(({ fs }) => fs?.writeTextFile === true);
      case 'terminal/create':
        return this.#clientWith(({ terminal }) => terminal === true);
      case 'terminal/output':
      case 'terminal/wait_for_exit':
      case 'terminal/kill':
      case 'terminal/release':
        return this.#terminals.get((params as { terminalId: string }).terminalId);
    }
  }

  /**
   * While the agent is started for a client's request, what it asks belongs to that: the client does not
   * know the session yet. Which request of ours the agent names makes no difference, for a start makes one
   * at a time. At any other time it belongs to the session, whatever the agent says, since our requests to
   * the agent are none of the client's.
   */
  async #elicit(request: ServiceRequest): Promise<unknown> {
    const { params, raw, context, offered } = request;
    const mode = offeredMode(params, offered);
    const { signal } = context;
    const cause = this.#cause;
    if (cause !== undefined) {
      const own = { raw: underRequest(raw, cause.idText), signal, cause: cause.signal };
      return this.#elicitations.ask(cause.client, own);
    }
    const client = this.#clientWith(({ elicitation }) => elicitation?.[mode] != null);
    if (client === undefined) return this.#local.handle(request);
    return this.#elicitations.ask(client, { raw: underSession(raw, this.#sessionId), signal });
  }

  #clientWith(offers: (capabilities: ClientCapabilities) => boolean): AttachedClient | undefined {
    return [...this.#clients].find(({ capabilities }) => offers(capabilities));
  }

  async #forward(
    client: AttachedClient,
    { method, raw, context }: ServiceRequest,
  ): Promise<RawJson> {
    try {
      return await client.request(method, raw, context.signal);
    } catch (error) {
      if (!isPeerError(error)) throw error;
      const message = `The client that serves ${method} did not answer: ${error.message}`;
      throw new RpcError(ErrorCode.InternalError, message, { reason: error.code });
    }
  }

  #recordAccess(kind: 'read' | 'write', path: string, result: RawJson, params: unknown): void {
    const { content } = (kind === 'read' ? result.value : params) as { content?: unknown };
    const bytes = typeof content === 'string' ? Buffer.byteLength(content) : 0;
    const unknown = { realPath: null, digestBefore: null, digestAfter: null };
    this.#record({ type: 'file.accessed', data: { kind, path, bytes, ...unknown } });
  }
}

function isUnknownMethod(error: unknown): boolean {
  return isRpcError(error) && error.code === ErrorCode.MethodNotFound;
}
