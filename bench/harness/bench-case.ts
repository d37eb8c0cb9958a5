/** What a contestant is compared as. Ratios are of the `sdk` contestant over each other one. */
export type Role = 'ours' | 'sdk' | 'limit' | 'other';

/** One way to do the work of a case. It runs in a process of its own, so that none disturbs another. */
export interface Contestant {
  readonly name: string;
  readonly role: Role;
  /** Multiplies the case's count, so that a fast contestant runs long enough to be measured. */
  readonly scale?: number;
  /** What a run must show of it; with room, so that a machine that does other things breaks nothing. */
  readonly promise?: Promised;
  /** Sets everything up that is not to be measured. */
  prepare(): Promise<Runner>;
}

/** What is promised of a contestant's medians. */
export interface Promised {
  /** What figures are at most, by their names. */
  readonly figuresMax?: Readonly<Record<string, number>>;
  /** How many times less CPU time than the official SDK it takes at least. */
  readonly timesCpuMin?: number;
}

/** A contestant that is set up. */
export interface Runner {
  /**
   * Does the work `count` times.
   *
   * @returns the CPU time that other processes spent on it, in ms; this process is measured outside.
   */
  run(count: number): Promise<number>;
  /** Other figures of the last run, by a name that says the unit: `p99 ms`. */
  figures?(): Readonly<Record<string, number>>;
  dispose?(): void | Promise<void>;
}

/** One benchmark. */
export interface BenchCase {
  readonly title: string;
  /** What is counted: `message`, `round trip`, `append`. */
  readonly unit: string;
  /** How often the work is done per round. */
  readonly count: { readonly full: number; readonly quick: number };
  /** Rounds at most, for work that takes long. */
  readonly rounds?: number;
  /** False: no round only warms up, because each is done by processes of its own. */
  readonly warmsUp?: boolean;
  readonly contestants: readonly Contestant[];
}

/** What one round of one contestant took, per unit of work. */
export interface Sample {
  readonly wallUs: number;
  /** CPU time of all processes that took part. */
  readonly cpuUs: number;
  readonly figures?: Readonly<Record<string, number>>;
}
