import { ErrorCode, RpcError } from '@signalbox/acp';

/** How much output a terminal keeps when the agent does not say, in bytes. */
export const OUTPUT_BYTES_DEFAULT = 1024 * 1024;

/** The most that a terminal ever keeps, whatever the agent asks for, in bytes. */
export const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * How many bytes of output are kept for what an agent asked for (B104).
 *
 * @throws RpcError -32602 when it is negative, fractional or no number.
 */
export function toOutputLimit(requested: number | null | undefined): number {
  if (requested == null) return OUTPUT_BYTES_DEFAULT;
  if (!Number.isInteger(requested) || requested < 0) {
    const message = `"outputByteLimit" must be a whole number, 0 or more, but is ${requested}`;
    throw new RpcError(ErrorCode.InvalidParams, message, { param: 'outputByteLimit' });
  }
  return Math.min(requested, OUTPUT_BYTES_MAX);
}
