import type { RequestMessage } from '@signalbox/acp';
import { ROLES, type Role } from '../role.ts';
import { invalidParams } from '../to-rpc-error.ts';

type Params = Readonly<Record<string, unknown>>;

/** The params of a request as an object. @throws RpcError -32602. */
export function objectParams(message: RequestMessage): Params {
  const { params } = message;
  if (typeof params === 'object' && params !== null && !Array.isArray(params)) {
    return params as Params;
  }
  throw invalidParams('params must be an object');
}

/** A member that has to be a string. @throws RpcError -32602. */
export function stringOf(params: Params, key: string): string {
  const value = params[key];
  if (typeof value === 'string') return value;
  throw invalidParams(`/${key} must be a string`);
}

/** A string that may be missing. @throws RpcError -32602. */
export function optionalString(params: Params, key: string): string | undefined {
  return params[key] == null ? undefined : stringOf(params, key);
}

/** A whole number within bounds that may be missing. @throws RpcError -32602. */
export function optionalCount(
  params: Params,
  key: string,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  const value = params[key];
  if (value == null) return undefined;
  const { min, max } = bounds;
  const isFine = typeof value === 'number' && Number.isSafeInteger(value);
  if (isFine && value >= min && value <= max) return value;
  throw invalidParams(`/${key} must be a whole number from ${min} to ${max}`);
}

/** One of some strings, which may be missing. @throws RpcError -32602. */
export function optionalOneOf<T extends string>(
  params: Params,
  key: string,
  known: readonly T[],
): T | undefined {
  const value = optionalString(params, key);
  if (value === undefined) return undefined;
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw invalidParams(`/${key} must be one of ${known.join(', ')}`);
}

/** The role that a client asks for. @throws RpcError -32602. */
export function roleOf(params: Params): Role {
  return optionalOneOf(params, 'role', ROLES) ?? 'driver';
}
