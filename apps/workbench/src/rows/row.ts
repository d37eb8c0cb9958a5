import type { TerminalView, TranscriptEntry } from '@signalbox/core';

/** What rows are drawn with, beside their entry. */
export interface RowContext {
  /** Commands that tool calls embed, by terminal id. */
  readonly terminals: ReadonlyMap<string, TerminalView>;
  /** Whether this browser may answer permission requests. */
  readonly mayAnswer: boolean;
  /** Answers one. Rejects when the answer did not arrive. */
  readonly answerPermission: (permissionId: string, optionId: string) => Promise<void>;
}

/** One entry of the transcript in the page. */
export interface Row {
  readonly node: HTMLElement;
  /**
   * Draws the entry as it is now; called when it, the terminals or the role have changed. The entry is of
   * the kind that the row was made for.
   */
  update(entry: TranscriptEntry, context: RowContext): void;
}
