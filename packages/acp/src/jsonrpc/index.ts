export { createMemoryTransports } from './memory-transport.ts';
export { isPeerError, PeerError, type PeerErrorCode } from './peer-error.ts';
export { isRpcError, RpcError, RpcErrorCode } from './rpc-error.ts';
export { isOverBytes, utf8Length, utf8SizeAt } from './utf8-length.ts';
export { DEFAULT_RPC_LIMITS, type RpcLimits } from './limits.ts';
export { memberText } from './member-text.ts';
export { encodeJson, RawJson, rawObject, withMembers } from './raw-json.ts';
export { Peer } from './peer.ts';
export { parseMessage, rawMember } from './message.ts';
export { paramText } from './param-text.ts';
export type { RequestContext } from './incoming-requests.ts';
export type { Noise, NoiseLine } from './noise.ts';
export type {
  Frame,
  FramePlace,
  NestedFrame,
  OversizedFrame,
  Transport,
  UndecodableFrame,
} from './transport.ts';
export type {
  IdText,
  MalformedMessage,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
} from './message.ts';
export type {
  CloseReason,
  PeerHandler,
  PeerOptions,
  PeerProblem,
  RequestOptions,
  WireTap,
} from './peer-types.ts';
