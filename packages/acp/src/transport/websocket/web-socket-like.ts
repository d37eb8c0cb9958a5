/** What is needed of a WebSocket: a browser's, the one of Node, or one of the `ws` package. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: (event: object) => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

/** What a socket of the `ws` package can do beyond that. */
export interface WsSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  send(text: string, onWritten: () => void): void;
  send(text: string, options: { readonly fin: boolean }, onWritten: () => void): void;
  close(code?: number, reason?: string): void;
  ping(): void;
  pause(): void;
  resume(): void;
  terminate(): void;
  on(event: 'open' | 'ping' | 'pong', listener: () => void): unknown;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: (code: number, reason: unknown) => void): unknown;
  on(event: 'upgrade', listener: (response: ResponseLike) => void): unknown;
  on(
    event: 'unexpected-response',
    listener: (request: unknown, response: ResponseLike) => void,
  ): unknown;
  /** Between these two everything that is sent waits for one system call. */
  cork?(): void;
  uncork?(): void;
  /** Bytes that have arrived so far. */
  readonly bytesRead?: number | undefined;
}

/** An HTTP response that came instead of, or as, the upgrade. */
export interface ResponseLike {
  readonly statusCode?: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The `readyState` of a socket that can be sent on. */
export const OPEN = 1;

/** Whether the socket has the ways of the `ws` package. */
export function isWsSocket(socket: object): socket is WsSocketLike {
  return 'on' in socket && 'terminate' in socket && 'ping' in socket;
}
