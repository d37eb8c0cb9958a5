import type { Noise } from '@signalbox/acp';

/** How many lines of stdout are told: an error is a line or two, a help text is many. */
const LINES_TOLD = 5;

/**
 * A message about an agent, with what the agent said last to people. Many say on stdout why they do not start,
 * and a message that cannot be read, because something else stands on its line, is there too (B03).
 *
 * @param stderrTail the end of what it wrote to stderr.
 * @param noise the lines of its stdout that were no messages.
 */
export function withLastWords(
  message: string,
  stderrTail: string,
  noise: Pick<Noise, 'kept'>,
): string {
  const parts = [message];
  const tail = stderrTail.trim();
  if (tail !== '') parts.push(`Its last words on stderr:\n${tail}`);
  const lines = noise.kept.slice(-LINES_TOLD).map(({ head }) => head.trimEnd());
  if (lines.length > 0)
    parts.push(`Its last lines on stdout that are no messages:\n${lines.join('\n')}`);
  return parts.join('\n');
}
