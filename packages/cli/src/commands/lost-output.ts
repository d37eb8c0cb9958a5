/** What the command prints reaches nobody any more, as in `signalbox run … | head`; `cause` says why. */
export class OutputLost extends Error {
  override readonly name = 'OutputLost';

  constructor(cause: Error) {
    super('the output reaches nobody', { cause });
  }
}

let onLost: ((error: OutputLost) => void) | undefined;

/**
 * From now on a command that runs an agent is told when its output is lost, instead of being ended at once:
 * the agent would be left behind, and the log without the end of its turn (B41).
 *
 * @returns rejects with {@link OutputLost} then, and never resolves.
 */
export function whenOutputLost(): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => (onLost = reject));
  lost.catch(() => undefined);
  return lost;
}

/** Tells the command that its output is lost. @returns whether there is one that wants to know. */
export function tellOutputLost(cause: Error): boolean {
  onLost?.(new OutputLost(cause));
  return onLost !== undefined;
}
