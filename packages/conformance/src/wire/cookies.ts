import type { WireHeaders } from './http-exchange.ts';

/** The pairs, `name=value`, that an answer sets. */
export function setCookies(headers: WireHeaders): readonly string[] {
  const fields = headers['set-cookie'] ?? [];
  return (typeof fields === 'string' ? [fields] : fields).map(pairOf);
}

/** Whether a request carries all of these pairs. */
export function hasCookies(headers: WireHeaders, pairs: readonly string[]): boolean {
  const field = headers['cookie'] ?? '';
  const text = typeof field === 'string' ? field : field.join('; ');
  const carried = text.split(';').map((pair) => pair.trim());
  return pairs.every((pair) => carried.includes(pair));
}

function pairOf(field: string): string {
  return (field.split(';')[0] ?? '').trim();
}
