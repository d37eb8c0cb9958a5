import type { ClientCapabilities, RawJson, RequestContext } from '@signalbox/acp';
import type { TurnId } from '@signalbox/core';
import type { ServedMethod } from './attached-client.ts';

/** A request of the agent to its client, checked. */
export interface ServiceRequest {
  readonly method: ServedMethod;
  /** The params, decoded. The session in them is ours. */
  readonly params: unknown;
  /** The same with their exact text and with our session id. */
  readonly raw: RawJson;
  readonly context: RequestContext;
  /** What was announced to the agent that asks. */
  readonly offered: ClientCapabilities;
}

/** What the host, as the agent's client, does for it beside permissions. */
export interface ClientServices {
  /** What is announced to an agent that starts now. */
  readonly capabilities: ClientCapabilities;
  /** Whether the agent waits for a person to answer what it asks. Never for ever. */
  readonly isAsking: boolean;
  /** @throws RpcError to answer with. */
  handle(request: ServiceRequest): Promise<unknown>;
  /**
   * A request of the agent that the protocol does not define, for whichever client knows it.
   *
   * @throws RpcError to answer with; -32601 when no client knows it.
   */
  requestExtension(method: string, params: RawJson, signal: AbortSignal): Promise<RawJson>;
  /** A notification of the agent that the protocol does not define, for all clients. */
  notifyExtension(method: string, params: RawJson): void;
  /** The agent says that an elicitation is complete. */
  elicitationComplete(params: RawJson): void;
  /** Ends the commands of a turn that was cancelled. */
  endTurn(turnId: TurnId): Promise<void>;
  /** The agent is gone: ends everything that runs for it. */
  endAll(): Promise<void>;
  /** The session ends. */
  close(): Promise<void>;
}
