/**
 * The error codes that JSON-RPC and ACP give a meaning (R-ERR-02). The set is open: a peer may send
 * any 32-bit integer (R-ERR-03).
 */
export const ErrorCode = {
  /** The frame is not JSON. */
  ParseError: -32700,
  /** JSON, but not a JSON-RPC message. */
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** The request was cancelled by `$/cancel_request` or by the side that ran it. */
  RequestCancelled: -32800,
  /** The agent wants a login first. */
  AuthRequired: -32000,
  /** A file or another resource does not exist. */
  ResourceNotFound: -32002,
} as const;

/** One of the codes with a meaning of its own. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
