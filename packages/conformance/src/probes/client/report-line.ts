import type { Observation } from '../../findings/observation.ts';

/** A line of the file in which the scripted agent reports, besides the lines of its trace. */
export type ReportLine =
  | { readonly judgement: Observation }
  /** The agent was started; without a process of its own, the client has connected. */
  | { readonly event: 'start'; readonly pid?: number }
  /** The client sent a prompt. */
  | { readonly event: 'prompted' }
  /** The kit should cancel the turn now. */
  | { readonly event: 'cancel_now' }
  /** The scenario is over. */
  | { readonly event: 'done' }
  /** The client ended the agent's input, or the connection. */
  | { readonly event: 'eof' }
  /** The scenario itself is broken. */
  | { readonly event: 'kit_failed'; readonly text: string };
