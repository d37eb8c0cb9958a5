import { memberText, RawJson, withMembers } from '@signalbox/acp';

/** The same frame under another id; everything else keeps its exact text. */
export function withIdText(frame: string, idText: string): string {
  return withMembers(new RawJson(frame), { id: new RawJson(idText) }).text;
}

/** The same frame with one more member in the `_meta` of its params. */
export function withParamsMeta(frame: string, key: string, value: unknown): string {
  const params = new RawJson(memberText(frame, 'params') ?? '{}');
  const known = memberText(params.text, '_meta');
  const meta = new RawJson(known === undefined || known === 'null' ? '{}' : known);
  const changed = withMembers(params, { _meta: withMembers(meta, { [key]: value }) });
  return withMembers(new RawJson(frame), { params: changed }).text;
}

/** The same frame about another request. */
export function withRequestId(frame: string, idText: string): string {
  const params = new RawJson(memberText(frame, 'params') ?? '{}');
  const changed = withMembers(params, { requestId: new RawJson(idText) });
  return withMembers(new RawJson(frame), { params: changed }).text;
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
