import {
  ErrorCode,
  isPeerError,
  isRpcError,
  RpcError,
  type ClientCapabilities,
  type RawJson,
} from '@signalbox/acp';
import type { HostFact, TurnId } from '@signalbox/core';
import type { AttachedClient, ServedMethod } from './attached-client.ts';
import type { ClientServices, ServiceRequest } from './client-services.ts';
import type { LocalServices } from './local-services.ts';

/**
 * Who serves the agent's requests: a client that is attached and announced them, since it knows unsaved
 * buffers and has a person in front of it, else the host itself. Both pass the path guard.
 */
export class SessionServices implements ClientServices {
  readonly #local: LocalServices;
  readonly #record: (fact: HostFact) => void;
  readonly #clients = new Set<AttachedClient>();
  /** Terminals that a client made, by their id. */
  readonly #terminals = new Map<string, AttachedClient>();

  constructor(local: LocalServices, record: (fact: HostFact) => void) {
    this.#local = local;
    this.#record = record;
  }

  /** @returns ends that the client serves anything. */
  attach(client: AttachedClient): () => void {
    this.#clients.add(client);
    return () => {
      this.#clients.delete(client);
      for (const [id, owner] of this.#terminals) if (owner === client) this.#terminals.delete(id);
    };
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
    const client = this.#clientFor(method, params);
    if (method === 'fs/read_text_file' || method === 'fs/write_text_file') {
      const { path } = params as { path: string };
      if (client === undefined) return this.#local.handle(request);
      const kind = method === 'fs/read_text_file' ? 'read' : 'write';
      await this.#local.assertInside(path);
      const result = await this.#forward(client, request);
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
    for (const client of this.#clients) {
      if (client.capabilities.elicitation?.url != null) client.elicitationComplete(params);
    }
  }

  endTurn(turnId: TurnId): Promise<void> {
    return this.#local.endTurn(turnId);
  }

  async endAll(): Promise<void> {
    this.#terminals.clear();
    await this.#local.endAll();
  }

  close(): Promise<void> {
    return this.#local.close();
  }

  #clientFor(method: ServedMethod, params: unknown): AttachedClient | undefined {
    switch (method) {
      case 'fs/read_text_file':
        return this.#clientWith(({ fs }) => fs?.readTextFile === true);
      case 'fs/write_text_file':
        return this.#clientWith(({ fs }) => fs?.writeTextFile === true);
      case 'terminal/create':
        return this.#clientWith(({ terminal }) => terminal === true);
      case 'elicitation/create': {
        const mode = (params as { mode?: unknown }).mode === 'url' ? 'url' : 'form';
        return this.#clientWith(({ elicitation }) => elicitation?.[mode] != null);
      }
      case 'terminal/output':
      case 'terminal/wait_for_exit':
      case 'terminal/kill':
      case 'terminal/release':
        return this.#terminals.get((params as { terminalId: string }).terminalId);
    }
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
