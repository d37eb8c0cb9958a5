import type { Transport } from '@signalbox/acp';

/** The ways into a server, in the order of preference: a socket, streams, and polling. */
export type DoorKind = 'websocket' | 'http' | 'poll';

/** One way into the server. */
export interface Door {
  readonly kind: DoorKind;
  /**
   * Opens a connection. Given up when `signal` is aborted.
   *
   * @throws an error that has the HTTP status as `status`, itself or one of its causes, when the server
   *   refused the connection; any other error when the server could not be reached. A door may also find
   *   out later: then the transport fails with such an error before `initialize` is answered.
   */
  connect(signal: AbortSignal): Promise<Transport>;
}
