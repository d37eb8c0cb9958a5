/** The command line or the configuration is wrong; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
