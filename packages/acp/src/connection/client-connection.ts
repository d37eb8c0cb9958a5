import type { ResponseMessage } from '../jsonrpc/message.ts';
import type { Noise } from '../jsonrpc/noise.ts';
import { Peer } from '../jsonrpc/peer.ts';
import type { CloseReason, PeerOptions, RequestOptions } from '../jsonrpc/peer-types.ts';
import { PeerError } from '../jsonrpc/peer-error.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import { ErrorCode } from '../protocol/error-codes.ts';
import { isMethodName, missingCapability } from '../protocol/v1/methods.ts';
import { rawMember } from '../jsonrpc/message.ts';
import { RawJson } from '../jsonrpc/raw-json.ts';
import type { Transport } from '../jsonrpc/transport.ts';
import type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
} from '../protocol/v1/method-types.ts';
import type {
  ClientCapabilities,
  InitializeRequest,
  InitializeResponse,
} from '../protocol/v1/types.ts';
import { isSupportedVersion, PROTOCOL_VERSION } from '../protocol/version.ts';
import { checkedResult, notAnnounced } from './call.ts';
import { CANCEL_REQUEST } from './cancel-request.ts';
import { createDispatch } from './dispatch.ts';
import type { Handlers } from './handlers.ts';

/** What a client handles: requests and notifications of the agent. */
export type ClientHandlers = Handlers<ClientRequests, ClientNotifications>;

/** A result together with its exact text. */
export interface RawResult<Result> {
  readonly result: Result;
  readonly raw: RawJson;
}

/**
 * A client's end of an ACP connection: calls an agent, and handles what the agent calls. Whatever came
 * before a response has been applied when the response resolves.
 */
export class ClientConnection {
  readonly #peer: Peer;
  #agent: InitializeResponse | undefined;
  #offered: ClientCapabilities = {};

  constructor(transport: Transport, handlers: ClientHandlers, options: PeerOptions = {}) {
    const dispatch = createDispatch('client', handlers as Handlers<never, never>, (method) =>
      this.#assertOffered(method),
    );
    this.#peer = new Peer(transport, dispatch, {
      // Some agents print banners on the protocol stream; answering those would only add to them.
      noise: 'skip',
      cancelMethod: CANCEL_REQUEST,
      ...options,
    });
  }

  /** What the agent announced; undefined before {@link initialize}. */
  get agent(): InitializeResponse | undefined {
    return this.#agent;
  }

  /** Resolves, never rejects, when the connection has ended. */
  get closed(): Promise<CloseReason> {
    return this.#peer.closed;
  }

  /** Whether the connection has ended or is about to. */
  get isClosed(): boolean {
    return this.#peer.isClosed;
  }

  /** Lines of the agent that were no messages. */
  get noise(): Noise {
    return this.#peer.noise;
  }

  /**
   * The handshake; must be the first call (R-INI-01).
   *
   * @throws PeerError `not_supported` when the agent speaks no version that we do (R-INI-09).
   */
  async initialize(
    params: Omit<InitializeRequest, 'protocolVersion'> & {
      clientCapabilities: ClientCapabilities;
    },
    options?: RequestOptions,
  ): Promise<RawResult<InitializeResponse>> {
    this.#offered = params.clientCapabilities;
    const answer = await this.#peer.call(
      'initialize',
      { protocolVersion: PROTOCOL_VERSION, ...params },
      rawResult<InitializeResponse>,
      options,
    );
    const { protocolVersion } = answer.result;
    if (!isSupportedVersion(protocolVersion)) {
      const message = `the agent speaks protocol version ${protocolVersion}, we ${PROTOCOL_VERSION}`;
      throw new PeerError('not_supported', message);
    }
    this.#agent = answer.result;
    return answer;
  }

  /**
   * Calls a method of the agent. Params may be a RawJson, which is sent with its exact text.
   *
   * @throws RpcError when the agent answers with an error; PeerError `not_supported` when the agent did
   *   not announce the method, `invalid_response` when the result does not fit, and others.
   */
  request<M extends Exclude<keyof AgentRequests, 'initialize'>>(
    method: M,
    params: AgentRequests[M]['params'] | RawJson,
    options?: RequestOptions,
  ): Promise<AgentRequests[M]['result']> {
    const refusal = this.#refusal(method);
    if (refusal !== undefined) return Promise.reject(refusal);
    return this.#peer.call(method, params, checkedResult<AgentRequests[M]['result']>, options);
  }

  /** Like {@link request}, and also gives the result's exact text. */
  requestRaw<M extends Exclude<keyof AgentRequests, 'initialize'>>(
    method: M,
    params: AgentRequests[M]['params'] | RawJson,
    options?: RequestOptions,
  ): Promise<RawResult<AgentRequests[M]['result']>> {
    const refusal = this.#refusal(method);
    if (refusal !== undefined) return Promise.reject(refusal);
    return this.#peer.call(method, params, rawResult<AgentRequests[M]['result']>, options);
  }

  /** Sends a notification. Returns a promise only when the sender should wait before it sends more. */
  notify<M extends keyof AgentNotifications>(
    method: M,
    params: AgentNotifications[M]['params'] | RawJson,
  ): void | Promise<void> {
    return this.#peer.notify(method, params);
  }

  /** Calls a method that the protocol does not define, unchecked. */
  requestOther(
    method: string,
    params: unknown,
    options?: RequestOptions,
  ): Promise<ResponseMessage> {
    return this.#peer.request(method, params, options);
  }

  /** Sends a notification that the protocol does not define. */
  notifyOther(method: string, params: unknown): void | Promise<void> {
    return this.#peer.notify(method, params);
  }

  /** Ends the connection; pending calls reject as `closed`. */
  close(): Promise<CloseReason> {
    return this.#peer.close();
  }

  /** Why a method must not be called now. */
  #refusal(method: string): PeerError | undefined {
    // Of a connection that has ended the caller hears from the peer, which says more than the state.
    if (this.#peer.isClosed) return undefined;
    if (this.#agent === undefined) {
      return new PeerError('wrong_state', `${method} before initialize`);
    }
    return notAnnounced(method, { agent: this.#agent.agentCapabilities });
  }

  /** What was declined is refused, whoever could handle it (R-FRM-20, B11). */
  #assertOffered(method: string): void {
    if (!isMethodName(method)) return;
    const missing = missingCapability(method, { client: this.#offered });
    if (missing === undefined) return;
    const message = `Method not found: ${method} needs ${missing}, which was not offered`;
    throw new RpcError(ErrorCode.MethodNotFound, message, { method });
  }
}

function rawResult<Result>(response: ResponseMessage, method: string): RawResult<Result> {
  const raw = rawMember(response, 'result') ?? new RawJson('{}');
  return { result: checkedResult<Result>(response, method), raw };
}
