/** The numeric codes that JSON-RPC 2.0 itself defines. */
export const RpcErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/**
 * An error that crosses the wire: throw it from a request handler to answer with exactly this, or
 * catch it when the other side answered with an error.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** Any integer; see {@link RpcErrorCode} and the protocol's own codes. */
  readonly code: number;
  /** More about the error, as sent; undefined if there was none. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

/** Whether `error` is an {@link RpcError}, also one of another bundled copy of this library. */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && error.name === 'RpcError' && 'code' in error;
}

/** The error that the other side answered with, whatever it put there. */
export function toRpcError(error: unknown): RpcError {
  if (typeof error !== 'object' || error === null) {
    return new RpcError(RpcErrorCode.InternalError, ODD_ERROR);
  }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return new RpcError(
    typeof code === 'number' ? code : RpcErrorCode.InternalError,
    typeof message === 'string' ? message : ODD_ERROR,
    data,
  );
}

const ODD_ERROR = 'The other side answered with an odd error';
