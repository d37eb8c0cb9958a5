import { OutputBuffer } from './output-buffer.ts';
import type { TerminalExit } from './start-command.ts';
import type { Terminal } from './terminal.ts';

/** The most output of one terminal that is kept for display, in bytes. */
export const SNAPSHOT_BYTES_MAX = 64 * 1024;

/** Of how many released terminals a session keeps the output for display; of more, the newest. */
export const SNAPSHOTS_MAX = 100;

/** A terminal as a client shows it, also after it was released (B108). */
export interface TerminalSnapshot {
  /** The end of the output. */
  readonly output: string;
  readonly truncated: boolean;
  /** Undefined while the command runs. */
  readonly exit: TerminalExit | undefined;
}

/** The last output of released terminals. */
export class Snapshots {
  readonly #kept = new Map<string, TerminalSnapshot>();

  get(terminalId: string): TerminalSnapshot | undefined {
    return this.#kept.get(terminalId);
  }

  keep(terminal: Terminal): void {
    this.#kept.set(terminal.id, toSnapshot(terminal));
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= SNAPSHOTS_MAX) break;
      this.#kept.delete(id);
    }
  }
}

/** How a terminal looks now. */
export function toSnapshot(terminal: Terminal): TerminalSnapshot {
  const { output, truncated } = terminal.output();
  const end = new OutputBuffer(SNAPSHOT_BYTES_MAX);
  end.append(Buffer.from(output));
  return { output: end.text(true), truncated: truncated || end.isTruncated, exit: terminal.exit };
}
