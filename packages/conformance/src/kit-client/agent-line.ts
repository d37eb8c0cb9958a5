import type { WireLog } from '../wire/wire-log.ts';

/** What a line tells of the agent at its other end. None of these may throw. */
export interface AgentLineEvents {
  /** The next bytes of an agent that writes lines. */
  readonly onBytes: (bytes: Uint8Array) => void;
  /** An agent that writes lines will write no more. */
  readonly onEnd: () => void;
  /** A whole message of an agent whose transport frames messages. */
  readonly onMessage: (bytes: Uint8Array) => void;
  /** The endpoint refused a request of the kit by a status, so that nothing else answers it. */
  readonly onRefused: (idText: string, status: number, text: string) => void;
}

/** How long the parts of a connection over a network may take, in ms. */
export interface LineTimeouts {
  /** For the connection to be made, and the answer to `initialize`. */
  readonly startMs: number;
  /** For anything else. */
  readonly answerMs: number;
}

/** What carries messages between the kit and an agent under test, whatever the transport. */
export interface AgentLine {
  /** Resolves, never rejects, when nothing more can come from the agent. */
  readonly ended: Promise<void>;
  /** What ends then, for the text of a finding. */
  readonly name: string;
  /** What crossed the wire around the messages; undefined where nothing does. */
  readonly wire: WireLog | undefined;
  /** Sends lines, each with its line feed, as they are. Resolves when they are handed over. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the connection in the ordinary way; false when the agent has not followed in time. */
  end(timeoutMs: number): Promise<boolean>;
  /** Ends it at once, and whatever the kit has started for it. */
  stop(): Promise<void>;
  /** How the agent or the connection fares, for the text of a finding. */
  condition(): string;
}
