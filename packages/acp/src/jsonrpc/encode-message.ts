import { PeerError } from './peer-error.ts';
import { encodeJson } from './raw-json.ts';
import { RpcErrorCode } from './rpc-error.ts';

/** Method names are few; anything beyond this many is not remembered. */
const QUOTED_MAX = 256;

const quotedMethods = new Map<string, string>();

/** The text of a request. @throws PeerError `not_serializable`. */
export function requestText(id: number, method: string, params: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${quoted(method)}${paramsText(params)}`;
}

/** The text of a notification. @throws PeerError `not_serializable`. */
export function notificationText(method: string, params: unknown): string {
  return `{"jsonrpc":"2.0","method":${quoted(method)}${paramsText(params)}`;
}

/** The text of a response with a result. @throws whatever encoding the result throws. */
export function resultText(idText: string, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${encodeJson(result)}}`;
}

/** The text of an error response. Never throws. */
export function errorText(idText: string, code: number, message: string, data?: unknown): string {
  // An error of another library may carry any kind of code, and must not break the frame.
  const codeText = Number.isInteger(code) ? code : RpcErrorCode.InternalError;
  const body = `"code":${codeText},"message":${JSON.stringify(message)}${dataText(data)}`;
  return `{"jsonrpc":"2.0","id":${idText},"error":{${body}}}`;
}

function quoted(method: string): string {
  let text = quotedMethods.get(method);
  if (text === undefined) {
    text = JSON.stringify(method);
    if (quotedMethods.size < QUOTED_MAX) quotedMethods.set(method, text);
  }
  return text;
}

/** The params and the end of the message. */
function paramsText(params: unknown): string {
  if (params === undefined) return '}';
  try {
    return `,"params":${encodeJson(params)}}`;
  } catch (cause) {
    throw new PeerError('not_serializable', 'the parameters cannot be written as JSON', { cause });
  }
}

function dataText(data: unknown): string {
  if (data === undefined) return '';
  try {
    return `,"data":${encodeJson(data)}`;
  } catch {
    // The error itself matters more than details that cannot be written.
    return '';
  }
}
