import type { TransportKind } from '../transport-kind.ts';

/** One of the two sides of an ACP connection. */
export type Side = 'agent' | 'client';

/** How binding a requirement is, in the words of RFC 2119. */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';

/**
 * Where a requirement comes from. `D`: protocol documentation of v1; `S`: JSON schema; `R`: text of an
 * RFD; `J`: JSON-RPC 2.0; `K`: behaviour of the official SDK, a reference and no rule; `I`: inferred,
 * needed for interoperability but not written down.
 */
export type Source = 'D' | 'S' | 'R' | 'J' | 'K' | 'I';

/**
 * How a requirement can be checked. `passive`: on every recorded trace; `active`: by a deterministic
 * probe; `triggered`: only if the peer can be steered into the situation; `not-visible`: a user
 * interface, nothing of which shows on the wire.
 */
export type Kind = 'passive' | 'active' | 'triggered' | 'not-visible';

/** One testable requirement of the protocol. */
export interface Requirement {
  /** For example `R-PRM-04`. Ids are never reused. */
  readonly id: string;
  /** The code of its area, for example `PRM`. */
  readonly area: string;
  /** The side that has to meet it. */
  readonly bound: Side | 'both';
  readonly level: Level;
  readonly sentence: string;
  readonly source: Source;
  readonly kind: Kind;
  /** The transports that it is about; absent: all. Over another one nothing can be said of it. */
  readonly over?: readonly TransportKind[];
  /** For each side without a check: why this side cannot be checked from outside. */
  readonly whyNot?: Partial<Record<Side, string>>;
}

/** A group of requirements about one subject. */
export interface Area {
  readonly code: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

/** Makes an area; the requirements get its code. */
export function defineArea(
  code: string,
  title: string,
  requirements: readonly Omit<Requirement, 'area'>[],
): Area {
  return { code, title, requirements: requirements.map((each) => ({ ...each, area: code })) };
}

/** The sides that a requirement binds. */
export function boundSides({ bound }: Requirement): readonly Side[] {
  return bound === 'both' ? ['agent', 'client'] : [bound];
}
