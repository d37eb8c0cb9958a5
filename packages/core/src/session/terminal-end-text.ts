import type { TerminalExited } from './event.ts';

/** How a command ended, in a few words: `exit code 3`. */
export function terminalEndText({
  exitCode,
  signal,
  lost,
}: Pick<TerminalExited, 'exitCode' | 'signal' | 'lost'>): string {
  if (lost === true) return 'nobody saw how it ended';
  return signal === null ? `exit code ${exitCode ?? 'unknown'}` : `ended by ${signal}`;
}
