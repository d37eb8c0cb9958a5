import { createInterface } from 'node:readline';

/** Lines that a person writes in the terminal. */
export interface Lines {
  /** Resolves when no more come: the person has ended the input, or it was closed. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Reads lines, without the space around them. */
export function readLines(onLine: (line: string) => void): Lines {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => onLine(line.trim()));
  const ended = new Promise<void>((resolve) => lines.once('close', resolve));
  return { ended, close: () => lines.close() };
}
