import type { ClientCapabilities, ClientRequests, RawJson } from '@signalbox/acp';

/** Methods of the agent's client that a client of ours may serve in our place. */
export type ServedMethod = Exclude<keyof ClientRequests, 'session/request_permission'>;

/** A request of a client that we are answering. */
export interface ClientRequest {
  /** Its id, exactly as the client wrote it. */
  readonly idText: string;
  /** Aborted when the client takes it back, or is gone. */
  readonly signal: AbortSignal;
}

/** A client's request because of which an agent does something, for example because it is started. */
export interface Cause extends ClientRequest {
  readonly client: AttachedClient;
}

/**
 * A client that is attached to a session, such as an editor, and can do for the agent what only it can:
 * it knows unsaved buffers, has terminals of its own, and a person in front of it.
 */
export interface AttachedClient {
  /** What it announced in its own `initialize`. */
  readonly capabilities: ClientCapabilities;
  /**
   * Calls a method of the client that it has announced.
   *
   * @param params of the agent, exactly, but with our session id; the client's own id for it is the same.
   * @returns the exact result.
   * @throws RpcError when the client answers with an error; PeerError when it is gone.
   */
  request(method: ServedMethod, params: RawJson, signal: AbortSignal): Promise<RawJson>;
  /**
   * Calls a method that the protocol does not define (`_…`, R-EXT-05).
   *
   * @throws RpcError when the client answers with an error; PeerError when it is gone.
   */
  requestExtension(method: string, params: RawJson, signal: AbortSignal): Promise<RawJson>;
  /** Passes on a notification that the protocol does not define. */
  notifyExtension(method: string, params: RawJson): void;
  /** Passes on that an elicitation of this client is complete (`elicitation/complete`). */
  elicitationComplete(params: RawJson): void;
}
