import type { Clock } from '@signalbox/acp';

/** Timers of one session, by name: setting a name again replaces it. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #set = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(name: string, delayMs: number, onDue: () => void): void {
    this.clear(name);
    const cancel = this.#clock.setTimer(delayMs, () => {
      this.#set.delete(name);
      onDue();
    });
    this.#set.set(name, cancel);
  }

  clear(name: string): void {
    this.#set.get(name)?.();
    this.#set.delete(name);
  }

  clearAll(): void {
    for (const name of [...this.#set.keys()]) this.clear(name);
  }
}
