export { ErrorCode } from './error-codes.ts';
export { validateParams, validateResult, validateUpdate, type Problem } from './validation.ts';
export { PROTOCOL_VERSION, isSupportedVersion, negotiateVersion } from './version.ts';
export type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
  ProtocolNotifications,
} from './v1/method-types.ts';
export {
  METHODS,
  isMethodName,
  missingCapability,
  type Announced,
  type Gate,
  type Method,
  type MethodName,
} from './v1/methods.ts';
export { STOP_REASONS, isStopReason } from './v1/stop-reason.ts';
export type * from './v1/types.ts';
export { UPDATE_KINDS, isKnownUpdateKind, type UpdateKind } from './v1/update-kinds.ts';
