import type { ResponseMessage } from '../jsonrpc/message.ts';
import { Peer } from '../jsonrpc/peer.ts';
import type { CloseReason, PeerOptions, RequestOptions } from '../jsonrpc/peer-types.ts';
import type { RawJson } from '../jsonrpc/raw-json.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { FramePlace, Transport } from '../jsonrpc/transport.ts';
import { ErrorCode } from '../protocol/error-codes.ts';
import type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
} from '../protocol/v1/method-types.ts';
import type { InitializeRequest, InitializeResponse } from '../protocol/v1/types.ts';
import { negotiateVersion } from '../protocol/version.ts';
import { checkedResult, notAnnounced } from './call.ts';
import { CANCEL_REQUEST } from './cancel-request.ts';
import { createDispatch } from './dispatch.ts';
import type { Handlers } from './handlers.ts';

/** Agent methods other than the handshake, which the connection answers itself. */
export type AgentHandlers = Handlers<Omit<AgentRequests, 'initialize'>, AgentNotifications> & {
  /**
   * What this agent announces; the version is negotiated by the connection. Called once the client has
   * asked, with what the client announced.
   */
  readonly initialize: (
    params: InitializeRequest,
  ) =>
    | Omit<InitializeResponse, 'protocolVersion'>
    | Promise<Omit<InitializeResponse, 'protocolVersion'>>;
};

/** An agent's end of an ACP connection: serves a client, and calls it. */
export class AgentConnection {
  readonly #peer: Peer;
  #client: InitializeRequest | undefined;

  constructor(transport: Transport, handlers: AgentHandlers, options: PeerOptions = {}) {
    const { initialize, ...others } = handlers;
    const requests = {
      ...others.requests,
      initialize: (params: InitializeRequest) => this.#initialize(params, initialize),
    };
    const all = { ...others, requests } as unknown as Handlers<never, never>;
    const dispatch = createDispatch('agent', all, (method) => this.#assertInitialized(method));
    this.#peer = new Peer(transport, dispatch, { cancelMethod: CANCEL_REQUEST, ...options });
  }

  /** What the client announced; undefined before it did. */
  get client(): InitializeRequest | undefined {
    return this.#client;
  }

  /** Resolves, never rejects, when the connection has ended. */
  get closed(): Promise<CloseReason> {
    return this.#peer.closed;
  }

  /**
   * Calls a method of the client.
   *
   * @throws RpcError when the client answers with an error; PeerError `not_supported` when the client
   *   did not announce the method, `invalid_response` when the result does not fit, and others.
   */
  request<M extends keyof ClientRequests>(
    method: M,
    params: ClientRequests[M]['params'] | RawJson,
    options?: RequestOptions,
  ): Promise<ClientRequests[M]['result']> {
    const refusal = notAnnounced(method, { client: this.#client?.clientCapabilities });
    if (refusal !== undefined) return Promise.reject(refusal);
    return this.#peer.call(method, params, checkedResult<ClientRequests[M]['result']>, options);
  }

  /**
   * Sends a notification, for example a `session/update`. Returns a promise only when the sender should
   * wait before it sends more.
   *
   * @param place the session it belongs to, for transports with a stream for each.
   */
  notify<M extends keyof ClientNotifications>(
    method: M,
    params: ClientNotifications[M]['params'] | RawJson,
    place?: FramePlace,
  ): void | Promise<void> {
    return this.#peer.notify(method, params, place);
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
  notifyOther(method: string, params: unknown, place?: FramePlace): void | Promise<void> {
    return this.#peer.notify(method, params, place);
  }

  /** Ends the connection; pending calls reject as `closed`. */
  close(): Promise<CloseReason> {
    return this.#peer.close();
  }

  /** Done at once where it can be, so that what a hasty client sent right behind it is served too. */
  #initialize(
    params: InitializeRequest,
    announce: AgentHandlers['initialize'],
  ): InitializeResponse | Promise<InitializeResponse> {
    const finish = (announced: Omit<InitializeResponse, 'protocolVersion'>): InitializeResponse => {
      this.#client = params;
      return { protocolVersion: negotiateVersion(params.protocolVersion), ...announced };
    };
    const announced = announce(params);
    return announced instanceof Promise ? announced.then(finish) : finish(announced);
  }

  /** Everything but the handshake has to wait for it (R-INI-02). */
  #assertInitialized(method: string): void {
    if (this.#client === undefined && method !== 'initialize') {
      throw new RpcError(ErrorCode.InvalidRequest, `${method} before initialize`);
    }
  }
}
