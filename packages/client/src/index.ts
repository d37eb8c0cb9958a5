export type { Clock } from '@signalbox/acp';
export type { ClientRequestHandlers } from './agent-requests.ts';
export { SignalboxClient } from './client.ts';
export type { AttachOptions, NewSessionOptions } from './client-calls.ts';
export { ClientError, isClientError, type ClientErrorCode } from './client-error.ts';
export type { ConnectionState } from './connection/connection-state.ts';
export type { DoorKind } from './connection/door.ts';
export { createClient } from './create-client.ts';
export type { ClientLimits, GivenLimits } from './limits.ts';
export type { ClientOptions } from './options.ts';
export type { GapReason, SessionRole } from './session/attach-result.ts';
export type { EndReason } from './session/attachment.ts';
export type { PromptHandle } from './session/prompt-book.ts';
export type { PromptEnd } from './session/prompt-end.ts';
export type { ContextSnapshot, PromptOptions } from './session/remote-session.ts';
export { RemoteSession } from './session/remote-session.ts';
export type { RemoteSessionEvent } from './session/session-event.ts';
export type { SessionPage, SessionSummary } from './session-summary.ts';

// What a user of this library meets in views, events and errors.
export {
  isPeerError,
  isRpcError,
  type ContentBlock,
  type McpServer,
  type PeerError,
  type RpcError,
} from '@signalbox/acp';
export { refOf, referenceBlockOf, turnText } from '@signalbox/core';
export type {
  ContentRef,
  EntryCut,
  PermissionEntry,
  SessionEvent,
  StoredEvent,
  TextCut,
  ToolCallEntry,
  Transcript,
  TranscriptBounds,
  TranscriptEntry,
  TurnEnd,
} from '@signalbox/core';
export { bridgeAcp, type AcpBridge, type AcpBridgeOptions } from './bridge/acp-bridge.ts';
