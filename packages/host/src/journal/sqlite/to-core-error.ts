import { CoreError } from '@signalbox/core';
import { codeOf, toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

/** Makes the error that callers see from what another thread reported. */
export function toCoreError({ code, message, hint, cause }: Failure): CoreError {
  return new CoreError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(cause !== undefined && {
      cause: Object.assign(new Error(cause.message), { code: cause.code }),
    }),
  });
}

/**
 * Turns what the driver or the file system threw into the error that callers see. An error that is
 * ours already comes back as it is, and so does a bug: it must not look like trouble with the disk.
 *
 * @param doing what was tried, as in "cannot ${doing}".
 */
export function translateError(error: unknown, doing: string, file: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof CoreError || codeOf(error) === '') return error;
  const { code, message, hint } = toFailure(error, doing, file);
  return new CoreError(code, message, { cause: error, ...(hint !== undefined && { hint }) });
}
