import type { Observation, Outcome } from '../findings/observation.ts';
import type { Side } from '../requirements/requirement.ts';
import type { View } from './view.ts';
import { quote, type Proof, type WireMessage } from './wire-message.ts';

/** A check that looks at a recorded trace and needs nothing else. */
export interface PassiveCheck {
  readonly name: string;
  /** The requirements that it can judge, for each side. */
  readonly ids: Partial<Record<Side, readonly string[]>>;
  /**
   * Whether its judgement of one side holds even where the other side breaks the rules, as the kit does
   * in many probes.
   */
  readonly toleratesHostilePeer: boolean;
  readonly run: (view: View, notes: Notes) => void;
}

const FAILURES_KEPT_MAX = 3;

/** What a check notes down while it reads a trace. */
export class Notes {
  readonly #where: string;
  readonly #observations: Observation[] = [];
  readonly #passed = new Map<string, number>();
  readonly #accused = new Map<string, number>();

  constructor(where: string) {
    this.#where = where;
  }

  /** The situation came up and was handled as required. */
  ok(id: string, side: Side): void {
    const key = `${side} ${id}`;
    this.#passed.set(key, (this.#passed.get(key) ?? 0) + 1);
  }

  /** The requirement was broken, which these lines prove. */
  bad(id: string, side: Side, text: string, ...lines: readonly Proof[]): void {
    this.#accuse('failed', id, side, text, lines);
  }

  /** It looks as if the requirement was broken, but there may be a reason that the trace hides. */
  warn(id: string, side: Side, text: string, ...lines: readonly Proof[]): void {
    this.#accuse('warned', id, side, text, lines);
  }

  /** Notes `ok` or `bad`, depending on what was seen. */
  judge(
    id: string,
    message: WireMessage,
    isOk: boolean,
    text: string,
    ...lines: readonly Proof[]
  ): void {
    if (isOk) this.ok(id, message.sender);
    else this.bad(id, message.sender, text, message, ...lines);
  }

  /** Everything noted; repeated findings are counted instead of repeated. */
  observations(): readonly Observation[] {
    const passed = [...this.#passed].map(([key, count]) =>
      this.#observe('passed', key, `seen ${count} times`, []),
    );
    const repeated = [...this.#accused]
      .filter(([, count]) => count > FAILURES_KEPT_MAX)
      .map(([key, count]) => {
        const [outcome = '', ...rest] = key.split(' ');
        return this.#observe(outcome as Outcome, rest.join(' '), `${count} times in all`, []);
      });
    return [...passed, ...this.#observations, ...repeated];
  }

  #accuse(
    outcome: 'failed' | 'warned',
    id: string,
    side: Side,
    text: string,
    lines: readonly Proof[],
  ): void {
    const key = `${side} ${id}`;
    const count = (this.#accused.get(`${outcome} ${key}`) ?? 0) + 1;
    this.#accused.set(`${outcome} ${key}`, count);
    if (count > FAILURES_KEPT_MAX) return;
    const evidence = lines.filter((line) => line !== undefined).map(quote);
    this.#observations.push(this.#observe(outcome, key, text, evidence));
  }

  #observe(outcome: Outcome, key: string, text: string, evidence: readonly string[]): Observation {
    const [side = '', id = ''] = key.split(' ');
    return { id, side: side as Side, outcome, where: this.#where, text, evidence };
  }
}
