import type { Notes } from '../passive/passive-check.ts';
import type { Proof } from '../passive/wire-message.ts';
import type { Side } from '../requirements/requirement.ts';
import type { WireLog } from './wire-log.ts';

/** A check that looks at what crossed the wire around the messages, and needs nothing else. */
export interface WireCheck {
  readonly name: string;
  /** The requirements that it can judge, for each side. */
  readonly ids: Partial<Record<Side, readonly string[]>>;
  /** Whether its judgement of one side holds even where the other side breaks the rules. */
  readonly toleratesHostilePeer: boolean;
  readonly run: (log: WireLog, notes: Notes) => void;
}

/** What was seen of a requirement, and what proves it. */
export interface Seen {
  readonly id: string;
  readonly side: Side;
  readonly isOk: boolean;
  /** What is wrong if it is. */
  readonly text: string;
  readonly proof?: readonly Proof[];
}

/** Notes what was seen as met or broken. */
export function judge(notes: Notes, { id, side, isOk, text, proof = [] }: Seen): void {
  if (isOk) notes.ok(id, side);
  else notes.bad(id, side, text, ...proof);
}
