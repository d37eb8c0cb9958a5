import { CoreError, type CoreErrorCode } from '../core-error.ts';
import { Misfit, type Read } from './read.ts';

/**
 * Reads a value that somebody else gave.
 *
 * @param what what it should be, for the message: `a transcript`.
 * @throws CoreError with this code, which says what does not fit and where.
 */
export function readAs<T>(
  value: unknown,
  read: Read<T>,
  { code, what }: { readonly code: CoreErrorCode; readonly what: string },
): T {
  try {
    return read(value, '');
  } catch (cause) {
    if (!(cause instanceof Misfit)) throw cause;
    throw new CoreError(code, `this is not ${what}: ${cause.message}`, { cause });
  }
}
