import type { JsonPath } from './scan-json.ts';

/** A path as a JSON pointer (RFC 6901). */
export function toPointer(path: JsonPath): string {
  let pointer = '';
  for (const key of path) {
    pointer += `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}

/** The keys that a JSON pointer names; undefined when it is none. An index is a key like any other here. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  const keys = pointer.slice(1).split('/');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
