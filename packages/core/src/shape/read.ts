/** Reads a value whose shape is not known, and gives what was asked for. @throws Misfit */
export type Read<T> = (value: unknown, path: string) => T;

/** A member that may be absent. */
interface Optional<T> {
  readonly ifPresent: Read<T>;
}

/** How each member of an object is read; the compiler asks for every one of them. */
type Members<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Optional<T[K]> : Read<T[K]>;
};

/** A value is not of the shape that was asked for. */
export class Misfit extends Error {
  override readonly name = 'Misfit';

  /**
   * @param path JSON pointer to what does not fit; empty for the whole.
   * @param problem what is wrong there: `must be a string`.
   */
  constructor(path: string, problem: string) {
    super(`${path === '' ? 'it' : path} ${problem}`);
  }
}

/** A string of at most `lengthMax` UTF-16 units. */
export function text<T extends string = string>(lengthMax = Infinity): Read<T> {
  return (value, path) => {
    if (typeof value !== 'string') throw new Misfit(path, 'must be a string');
    if (value.length > lengthMax)
      throw new Misfit(path, `must have at most ${lengthMax} characters`);
    return value as T;
  };
}

/** One of some strings. */
export function oneOf<T extends string>(...known: readonly T[]): Read<T> {
  return (value, path) => {
    const found = known.find((one) => one === value);
    if (found === undefined) throw new Misfit(path, `must be one of: ${known.join(', ')}`);
    return found;
  };
}

/** A finite number between two bounds. */
export function number(min = -Infinity, max = Infinity): Read<number> {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new Misfit(path, 'must be a number');
    }
    if (value < min || value > max) throw new Misfit(path, `must be between ${min} and ${max}`);
    return value;
  };
}

/** A whole number from 0. */
export const count: Read<number> = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw new Misfit(path, 'must be a whole number from 0');
  }
  return value as number;
};

/** True or false. */
export const flag: Read<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new Misfit(path, 'must be true or false');
  return value;
};

/** True, for a member that is absent otherwise. */
export const onlyTrue: Read<true> = (value, path) => {
  if (value !== true) throw new Misfit(path, 'must be true');
  return true;
};

/** Null, or what `read` reads. */
export function nullable<T>(read: Read<T>): Read<T | null> {
  return (value, path) => (value === null ? null : read(value, path));
}

/** A list of at most `countMax` items. */
export function list<T>(read: Read<T>, countMax = Infinity): Read<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new Misfit(path, 'must be a list');
    if (value.length > countMax) throw new Misfit(path, `must have at most ${countMax} items`);
    return value.map((item, index) => read(item, `${path}/${index}`));
  };
}

/** A key and a value, as a list of two. */
export function pair<A, B>(readFirst: Read<A>, readSecond: Read<B>): Read<readonly [A, B]> {
  return (value, path) => {
    const [first, second] = list<unknown>((item) => item, 2)(value, path);
    return [readFirst(first, `${path}/0`), readSecond(second, `${path}/1`)];
  };
}

/** Marks a member that may be absent. */
export function optional<T>(read: Read<T>): Optional<T> {
  return { ifPresent: read };
}

/** An object with these members. Others are left out of what is read. */
export function object<T extends object>(members: Members<T>): Read<T> {
  const readers = Object.entries<Read<unknown> | Optional<unknown>>(members);
  return (value, path) => {
    const given = toObject(value, path);
    const found: Record<string, unknown> = {};
    for (const [key, reader] of readers) {
      const member = Object.hasOwn(given, key) ? given[key] : undefined;
      if (typeof reader === 'function') found[key] = reader(member, `${path}/${key}`);
      else if (member !== undefined) found[key] = reader.ifPresent(member, `${path}/${key}`);
    }
    return found as T;
  };
}

/** An object whose member `tag` says which of some shapes it has. */
export function tagged<T extends object>(
  tag: keyof T & string,
  shapes: Readonly<Record<string, Read<T>>>,
): Read<T> {
  return (value, path) => {
    const name = toObject(value, path)[tag];
    const read = typeof name === 'string' && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (read === undefined) {
      throw new Misfit(`${path}/${tag}`, `must be one of: ${Object.keys(shapes).join(', ')}`);
    }
    return read(value, path);
  };
}

/**
 * An object of the protocol as it came, with whatever else it holds. It has been checked when it came, so
 * only the strings are looked for that our own code relies on.
 */
export function asItCame<T extends object>(...strings: readonly (keyof T & string)[]): Read<T> {
  return (value, path) => {
    const given = toObject(value, path);
    for (const key of strings) text()(given[key], `${path}/${key}`);
    return given as T;
  };
}

function toObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Misfit(path, 'must be an object');
  }
  return value as Record<string, unknown>;
}
