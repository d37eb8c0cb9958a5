import { setTimeout as delay } from 'node:timers/promises';

/** Kinds of updates that an agent replays of its history. All others tell of the present. */
const REPLAYED: ReadonlySet<unknown> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

/** How long nothing more must have come before a replay counts as over, and how long it may take. */
const QUIET_MS = 300;
const REPLAY_MS_MAX = 5000;

/**
 * Tells what an agent replays on `session/load` from what it says now. Our log is the history; what is
 * replayed never enters it twice (B129).
 */
export class ReplayFilter {
  #state: 'before' | 'replaying' | 'over' = 'before';
  #count = 0;
  #replayed = 0;

  /** A load begins. */
  begin(): void {
    this.#state = 'replaying';
  }

  /** A prompt goes out: what comes from here on is new. */
  end(): void {
    this.#state = 'over';
  }

  /** Whether an update is a replay and is to be left out. */
  isReplay(update: unknown): boolean {
    if (this.#state !== 'replaying') return false;
    this.#count++;
    const kind = (update as { sessionUpdate?: unknown } | null | undefined)?.sessionUpdate;
    if (!REPLAYED.has(kind)) return false;
    this.#replayed++;
    return true;
  }

  /**
   * The load is answered.
   *
   * @param goesOn whether this agent is known to replay on behind its answer.
   * @returns how many updates were replayed.
   */
  async whenQuiet(goesOn: boolean): Promise<number> {
    for (let waited = 0; goesOn && waited < REPLAY_MS_MAX; waited += QUIET_MS) {
      const before = this.#count;
      await delay(QUIET_MS);
      if (this.#count === before) break;
    }
    this.end();
    return this.#replayed;
  }
}
