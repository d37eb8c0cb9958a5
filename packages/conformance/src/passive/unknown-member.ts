import { isObject } from '../json/json.ts';
import { METHOD_OBJECTS, OBJECT_MEMBERS } from './known-members.gen.ts';

/**
 * The path of a member that the schema does not know, or undefined. Methods that the schema does not
 * know have none.
 */
export function unknownMember(
  method: string,
  part: 'params' | 'result',
  value: unknown,
): string | undefined {
  const name = Object.hasOwn(METHOD_OBJECTS, method) ? METHOD_OBJECTS[method]?.[part] : undefined;
  return name === undefined ? undefined : firstUnknown(value, name, part);
}

function firstUnknown(value: unknown, name: string, path: string): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = firstUnknown(item, name, `${path}[]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const objects = name
    .split('|')
    .flatMap((each) => (Object.hasOwn(OBJECT_MEMBERS, each) ? [OBJECT_MEMBERS[each] ?? {}] : []));
  if (!isObject(value) || objects.length === 0 || name.split('|').includes('*')) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (key === '_meta') continue;
    const types = objects.flatMap((members) => typesOf(members, key));
    if (types.length === 0) return `${path}.${key}`;
    const found = firstUnknown(member, types.join('|'), `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function typesOf(members: Readonly<Record<string, string>>, key: string): readonly string[] {
  if (Object.hasOwn(members, key)) return [members[key] ?? ''];
  return Object.hasOwn(members, '*') ? [members['*'] ?? ''] : [];
}
