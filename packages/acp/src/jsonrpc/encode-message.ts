import { copyText } from './copy-text.ts';
import { NameMemo } from './name-memo.ts';
import { PeerError } from './peer-error.ts';
import { isEmptyObject } from './plain-object.ts';
import { encodeJson } from './raw-json.ts';
import { RpcErrorCode } from './rpc-error.ts';

/** What stands between the id and the params, as one string: a text is written faster the fewer parts it has. */
const requestMiddles = new NameMemo((method) =>
  copyText(`,"method":${JSON.stringify(method)},"params":`),
);
/** The same for all that stands before the params. */
const notificationStarts = new NameMemo((method) =>
  copyText(`{"jsonrpc":"2.0"${requestMiddles.of(method)}`),
);

/** The text of a request. @throws PeerError `not_serializable`. */
export function requestText(id: number, method: string, params: unknown): string {
  const start = `{"jsonrpc":"2.0","id":${id}`;
  if (params === undefined) return `${start},"method":${JSON.stringify(method)}}`;
  return `${start}${requestMiddles.of(method)}${paramsText(params)}}`;
}

/** The text of a notification. @throws PeerError `not_serializable`. */
export function notificationText(method: string, params: unknown): string {
  if (params === undefined) return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}}`;
  return `${notificationStarts.of(method)}${paramsText(params)}}`;
}

/** The text of a response with a result. @throws whatever encoding the result throws. */
export function resultText(idText: string, result: unknown): string {
  // Most results hold nothing; to see that costs a tenth of what encoding them does.
  const resultJson = isEmptyObject(result) ? '{}' : encodeJson(result);
  return `{"jsonrpc":"2.0","id":${idText},"result":${resultJson}}`;
}

/** The text of an error response. Never throws. */
export function errorText(idText: string, code: number, message: string, data?: unknown): string {
  // An error of another library may carry any kind of code, and must not break the frame.
  const codeText = Number.isInteger(code) ? code : RpcErrorCode.InternalError;
  const body = `"code":${codeText},"message":${JSON.stringify(message)}${dataText(data)}`;
  return `{"jsonrpc":"2.0","id":${idText},"error":{${body}}}`;
}

function paramsText(params: unknown): string {
  try {
    return encodeJson(params);
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
