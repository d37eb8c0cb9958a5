import { memberText, RawJson, withMembers } from '@signalbox/acp';

/** The same frame under another id; everything else keeps its exact text. */
export function withIdText(frame: string, idText: string): string {
  return withMembers(new RawJson(frame), { id: new RawJson(idText) }).text;
}

/**
 * The same frame with a member set somewhere inside. Objects on the way are made where there are none.
 *
 * @param path the keys of the member, from the outside.
 */
export function withMemberAt(frame: string, path: readonly string[], value: unknown): string {
  const [key = '', ...rest] = path;
  const known = memberText(frame, key);
  const inner = known?.startsWith('{') === true ? known : '{}';
  const changed = rest.length === 0 ? value : new RawJson(withMemberAt(inner, rest, value));
  return withMembers(new RawJson(frame), { [key]: changed }).text;
}

/** The same frame about another request. */
export function withRequestId(frame: string, idText: string): string {
  return withMemberAt(frame, ['params', 'requestId'], new RawJson(idText));
}

/** The text of a request. */
export function requestFrame(idText: string, method: string, params: object): string {
  const body = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
  return `{"jsonrpc":"2.0","id":${idText},${body}}`;
}

/** The text of an error answer. */
export function errorFrame(idText: string, code: number, message: string): string {
  const error = JSON.stringify({ code, message });
  return `{"jsonrpc":"2.0","id":${idText},"error":${error}}`;
}
