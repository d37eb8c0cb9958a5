/** What came of playing one side of a trace. */
export interface ReplayReport {
  /** Recorded lines that were sent. */
  readonly sent: number;
  /** Recorded lines of the side that was played. */
  readonly recorded: number;
  /** In what the living side differed, in words; empty when it did as recorded. */
  readonly differences: readonly string[];
}
