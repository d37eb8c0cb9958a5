import { METHOD_TABLE } from './v1/methods.gen.ts';
import type { MethodName } from './v1/methods.ts';
import { VALIDATORS, type Validate, type Violation } from './v1/validators.gen.ts';

/** The one thing to tell the sender of a malformed message. */
export interface Problem {
  /** JSON pointer into the params, result or update; empty for the whole. */
  readonly path: string;
  /** What is wrong there, without the path: `must be string`. */
  readonly message: string;
}

/**
 * Results that carry nothing required, for which peers in the field answer null instead of `{}`.
 * The official SDK accepts null for the same ones.
 */
const NULL_RESULTS: ReadonlySet<MethodName> = new Set([
  'authenticate',
  'logout',
  'session/load',
  'session/delete',
  'session/close',
  'session/set_mode',
  'fs/write_text_file',
  'terminal/release',
  'terminal/kill',
]);

/** Stands for absent params and results. Frozen: the validators find nothing to repair in it. */
const EMPTY: object = Object.freeze({});

interface MethodValidators {
  readonly params: Validate;
  readonly result: Validate | undefined;
  readonly isNullResultValid: boolean;
}

const BY_METHOD: ReadonlyMap<string, MethodValidators> = createValidators();

/**
 * Checks the params of a request or notification and repairs them in place where the schema is
 * lenient: malformed optional members and list items are removed (R-FRM-25). Absent and null params
 * count as `{}` (R-FRM-22). Methods that the protocol does not define are not checked.
 */
export function validateParams(method: string, params: unknown): Problem | undefined {
  const validate = BY_METHOD.get(method)?.params;
  return validate && check(validate, params ?? EMPTY);
}

/**
 * Checks the result of a request, and repairs it like `validateParams`. Null and undefined count as
 * `{}` where the result is an empty object by definition.
 */
export function validateResult(method: string, result: unknown): Problem | undefined {
  const validators = BY_METHOD.get(method);
  if (validators?.result === undefined) return undefined;
  if (validators.isNullResultValid) return check(validators.result, result ?? EMPTY);
  return check(validators.result, result);
}

/**
 * Checks the member `update` of a `session/update` alone, and repairs it. An update of an unknown
 * kind is valid and is left as it is.
 */
export function validateUpdate(update: unknown): Problem | undefined {
  return check(VALIDATORS.SessionUpdate, update);
}

function check(validate: Validate, value: unknown): Problem | undefined {
  return validate(value) ? undefined : toProblem(validate.errors ?? []);
}

/**
 * Where a value fits no alternative of a union, the generated code reports the violations of every
 * alternative. The deepest one is from the alternative that fits best.
 */
function toProblem(violations: readonly Violation[]): Problem {
  let best: Violation | undefined;
  for (const violation of violations) {
    if (best === undefined || depth(violation) > depth(best)) best = violation;
  }
  if (best === undefined) return { path: '', message: 'is not valid' };
  return { path: best.instancePath, message: best.message };
}

function depth({ instancePath }: Violation): number {
  return instancePath.split('/').length;
}

function createValidators(): ReadonlyMap<string, MethodValidators> {
  const validators = new Map<string, MethodValidators>();
  for (const [name, method] of Object.entries(METHOD_TABLE)) {
    validators.set(name, {
      params: VALIDATORS[method.params],
      result: 'result' in method ? VALIDATORS[method.result] : undefined,
      isNullResultValid: NULL_RESULTS.has(name as MethodName),
    });
  }
  return validators;
}
