import type { KnownQuirk } from './quirks.ts';

/** An agent that is known by name: how it is started and what it needs. */
export interface KnownAgent {
  readonly name: string;
  readonly title: string;
  /** The program is looked for on PATH. */
  readonly command: readonly string[];
  /** Variables of the user that it reads; a trailing `*` stands for any ending. */
  readonly passEnv: readonly string[];
  /** What it must have before it can work, in a sentence. */
  readonly needs: string;
  /** Where it reads its own settings and sign-in. */
  readonly configFiles: readonly string[];
  /** How to get it. */
  readonly install: string;
  /** Versions of the protocol that it is known to answer. */
  readonly protocolVersions: readonly number[];
  /** How it differs from what a client would expect. */
  readonly quirks: readonly KnownQuirk[];
}
