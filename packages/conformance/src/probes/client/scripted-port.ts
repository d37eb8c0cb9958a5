import type { TransportKind } from '../../transport-kind.ts';

/** What a scripted agent can do with a WebSocket besides sending messages. */
export interface ScriptedSocket {
  /** Sends a frame that is not text. */
  binary(bytes: Uint8Array): Promise<void>;
  /** Sends a ping; false when nothing answers it in time. */
  ping(timeoutMs: number): Promise<boolean>;
}

/** What carries the bytes of a scripted agent to its client, and takes its report. */
export interface ScriptedPort {
  readonly transport: TransportKind;
  /** Sends bytes that are lines, or parts of them; over a network each line becomes one message. */
  write(bytes: Uint8Array): Promise<void>;
  /** Takes one line of the report. */
  report(line: string): void;
  /** The socket, where there is one. */
  readonly socket?: ScriptedSocket;
}
