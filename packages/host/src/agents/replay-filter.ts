import { setTimeout as delay } from 'node:timers/promises';

/** Kinds of updates that tell how a session stands now. All others, also unknown ones, tell what happened. */
const PRESENT: ReadonlySet<unknown> = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
]);

/** How long nothing more must have come before a replay counts as over, and how long it may take. */
const QUIET_MS = 300;
const REPLAY_MS_MAX = 5000;

/**
 * Tells what an agent replays when it gets a session back from what it says now. Our log is the history;
 * what is replayed never enters it twice (B129).
 */
export class ReplayFilter {
  #isReplaying = false;
  #count = 0;
  #replayed = 0;

  /** The agent is asked for its session. */
  begin(): void {
    this.#isReplaying = true;
    this.#replayed = 0;
  }

  /** What comes from here on is new. */
  end(): void {
    this.#isReplaying = false;
  }

  /** Whether an update is a replay and is to be left out. */
  isReplay(update: unknown): boolean {
    if (!this.#isReplaying) return false;
    this.#count++;
    const kind = (update as { sessionUpdate?: unknown } | null | undefined)?.sessionUpdate;
    if (PRESENT.has(kind)) return false;
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
    return this.#replayed;
  }
}
