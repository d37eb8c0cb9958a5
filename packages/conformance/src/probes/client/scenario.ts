import type { JsonObject } from '../../json/json.ts';
import type { PlayedOver } from '../played-over.ts';
import type { ScriptedAgent } from './scripted-agent.ts';

/** What a scenario returns to leave the prompt without an answer. */
export const NO_ANSWER: unique symbol = Symbol('no answer');

/** What the kit's endpoint does otherwise than usual. */
export interface EndpointHabits {
  /** It offers the other transport than the one that the client is checked over. */
  readonly offersOther?: true;
  /** The method whose POSTs are accepted late: their messages have long been answered then. */
  readonly acceptsLate?: string;
  /** The answers to prompts come on the connection's stream, where they do not belong. */
  readonly answersElsewhere?: true;
  /** The first upgrade is refused for the moment, with a cookie. */
  readonly refusesFirstUpgrade?: true;
}

/** What the scripted agent plays with a client, once the client has prompted it. */
export interface Scenario {
  readonly name: string;
  /** The requirements that it can judge. Those it says nothing of count as not exercised. */
  readonly ids: readonly string[];
  /** The requirements that are broken when the client ends or goes silent while it is played. */
  readonly blame?: readonly string[];
  /** Whether the agent breaks the protocol, which the client's answers have to be seen in light of. */
  readonly isHostile?: boolean;
  /** The transports over which it is played; absent: all. */
  readonly over?: PlayedOver;
  /** What the endpoint does differently, where the agent is behind one. */
  readonly endpoint?: EndpointHabits;
  /** What the client is told to send instead of the ordinary prompt. */
  readonly prompt?: string;
  /** Members of the result of `initialize` that differ from the ordinary ones. */
  readonly initialize?: JsonObject;
  /** Members of the result of `session/new`, besides the id. */
  readonly session?: JsonObject & { readonly sessionId?: string };
  /** Called before a request of the client is answered; may answer itself and return true. */
  readonly before?: (
    agent: ScriptedAgent,
    method: string,
    id: unknown,
  ) => boolean | Promise<boolean>;
  /** Plays the turn; the returned value is the result of the prompt. */
  readonly play: (agent: ScriptedAgent) => Promise<JsonObject | typeof NO_ANSWER>;
  /** Called after the prompt was answered, while the client is still there. */
  readonly after?: (agent: ScriptedAgent) => Promise<void>;
  /** Texts that the client shows, if it shows what the agent says; in this order. */
  readonly shown?: { readonly id: string; readonly texts: readonly string[] };
  /** The requirement that is met when the client ends by itself although the turn failed. */
  readonly endsBy?: string;
  /** Whether a client may as well refuse to go on, without being wrong. */
  readonly mayFail?: true;
  /** Whether the agent goes on when its input ends. */
  readonly ignoresEof?: true;
  /** Whether the kit cancels the turn, by the signal that it was told to use. */
  readonly isCancelled?: boolean;
}

/** The result of a turn that ends normally. */
export const END_TURN: JsonObject = { stopReason: 'end_turn' };
