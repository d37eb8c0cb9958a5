import { writeSync } from 'node:fs';

/**
 * Says something on stderr. The agent has the same stderr, and Node's own stream would make it
 * non-blocking for both, which programs that do not expect it answer with lost output or an error.
 */
export function say(text: string): void {
  try {
    writeSync(2, `signalbox: ${text}\n`);
  } catch {
    // Nobody reads it, which is no reason to disturb the connection.
  }
}
