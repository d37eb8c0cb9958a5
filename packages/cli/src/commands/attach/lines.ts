import { createInterface } from 'node:readline';

/** Lines that a person writes in the terminal. */
export interface Lines {
  /** Resolves when no more come: the person has ended the input, or it was closed. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Reads lines, without the space around them. */
export function readLines(onLine: (line: string) => void): Lines {
  // A terminal that was closed: its signal, or the end of its lines, ends the command.
  process.stdin.on('error', () => undefined);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => onLine(line.trim()));
  const ended = new Promise<void>((resolve) => lines.once('close', resolve));
  return { ended, close: () => lines.close() };
}
