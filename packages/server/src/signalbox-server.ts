import type { Credentials } from './auth/credentials.ts';

/** Where a server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** A host's sessions over HTTP. */
export interface SignalboxServer {
  /** Tokens, sign-ins and login codes. */
  readonly credentials: Credentials;
  /** Where the server listens; undefined before that. */
  readonly address: ServerAddress | undefined;
  /** Under which addresses browsers reach it, the best one first; none before it listens. */
  readonly urls: readonly string[];
  /**
   * Begins to serve. Called once; when it fails, the server is closed.
   *
   * @throws ServerError `listen_failed`.
   */
  listen(): Promise<ServerAddress>;
  /**
   * Ends in good order. The server says "not ready" and takes no new work; readers of event streams are sent
   * away at once, clients of ACP when their prompts have been answered. Then it closes all connections.
   * Turns are never cancelled: they go on until the host is closed. May be called again.
   *
   * @param graceMs how long that may take altogether. Default 10 s.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}
