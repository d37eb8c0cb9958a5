import { errorText } from '../../../jsonrpc/encode-message.ts';
import { RpcErrorCode } from '../../../jsonrpc/rpc-error.ts';
import type { HttpTransportError } from './http-transport-error.ts';

/** The answer that a request gets whose POST was refused: the server's own words, if it has any. */
export function refusalText(
  requestId: string,
  { message, status, body }: HttpTransportError,
): string {
  const said = rpcErrorOf(body);
  if (said !== undefined) return errorText(requestId, said.code, said.message, said.data);
  return errorText(requestId, RpcErrorCode.InternalError, message, status && { status });
}

function rpcErrorOf(
  body: string | undefined,
): { code: number; message: string; data: unknown } | undefined {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: Record<string, unknown> };
    const { code, message, data } = error ?? {};
    if (typeof code !== 'number' || typeof message !== 'string') return undefined;
    return { code, message, data };
  } catch {
    return undefined;
  }
}
