import type { Refusal } from '../workspace/workspace.ts';

/** A member of a tool's input. */
export interface Field {
  readonly type: 'string' | 'integer' | 'boolean' | 'strings';
  readonly description: string;
  readonly optional?: true;
}

type Fields = Readonly<Record<string, Field>>;

interface ValueOf {
  string: string;
  integer: number;
  boolean: boolean;
  strings: readonly string[];
}

/** The input that fields describe. */
export type InputOf<F extends Fields> = {
  readonly [N in keyof F as F[N] extends { optional: true } ? never : N]: ValueOf[F[N]['type']];
} & {
  readonly [N in keyof F as F[N] extends { optional: true } ? N : never]?: ValueOf[F[N]['type']];
};

/** The JSON schema that tells the model about the fields. */
export function inputSchema(fields: Fields): Readonly<Record<string, unknown>> {
  const properties = Object.entries(fields).map(([name, { type, description }]) => {
    const shape = type === 'strings' ? { type: 'array', items: { type: 'string' } } : { type };
    return [name, { ...shape, description }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields).filter((name) => fields[name]?.optional !== true),
    additionalProperties: false,
  };
}

/** Checks an input against the fields it is described by. */
export function parseInput<F extends Fields>(fields: F, input: unknown): InputOf<F> | Refusal {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { refused: 'the input must be an object' };
  }
  const given = input as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(fields, name)) {
      const known = Object.keys(fields).join(', ');
      return { refused: `the input has an unknown member "${name}" (known: ${known})` };
    }
  }
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined && field.optional === true) continue;
    if (value === undefined) return { refused: `the input lacks "${name}"` };
    if (!CHECKS[field.type](value)) {
      return { refused: `the input's "${name}" must be ${WORDS[field.type]}` };
    }
  }
  return given as InputOf<F>;
}

const CHECKS: Readonly<Record<Field['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  boolean: (value) => typeof value === 'boolean',
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

const WORDS: Readonly<Record<Field['type'], string>> = {
  string: 'a string',
  integer: 'a whole number that is not negative',
  boolean: 'true or false',
  strings: 'a list of strings',
};
