import {
  isPeerError,
  lastingClock,
  memberText,
  parseMessage,
  pause,
  utf8Length,
  type Clock,
  type Frame,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  type Transport,
} from '@signalbox/acp';
import type { ClientError } from '../client-error.ts';
import { backoffMs, DEFAULT_BACKOFF, type BackoffLimits } from '../connection/backoff.ts';
import { isSizeRefused, LargestSent } from '../connection/size-refusal.ts';
import { judgeFailure } from '../connection/verdict.ts';
import { createName } from '../session/prompt-id.ts';
import { isRepeatable, toEditorRequest, type EditorRequest } from './editor-requests.ts';
import { errorFrame, requestFrame, withRequestId } from './frame-edits.ts';
import { OpenSessions } from './open-sessions.ts';
import { ServerRequests } from './server-requests.ts';

/** What {@link bridgeAcp} connects. */
export interface AcpBridgeOptions {
  /** The editor's end, usually stdin and stdout. */
  readonly editor: Transport;
  /** Opens a connection to the server; called again whenever it is lost. */
  readonly connect: (signal: AbortSignal) => Promise<Transport>;
  readonly backoff?: BackoffLimits;
  readonly clock?: Clock;
  /** A number from 0 to below 1. Default `Math.random`. */
  readonly random?: () => number;
  /** For what the editor is not told. */
  readonly log?: (line: string) => void;
}

/** An editor's connection to a server that may be lost and found again. */
export interface AcpBridge {
  /**
   * Resolves when the editor has gone. Rejects with a ClientError when the server will not let it in.
   */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** The bridge's own requests; an editor's ids are given on as they are, so these must not look like one. */
const OWN_ID = '"signalbox-bridge-';
const LOST = -32603;

/**
 * Connects an editor, which knows nothing of lost connections, to a server over a network. When the
 * connection is lost it is opened again: the handshake is repeated, each session goes on behind the last
 * update that the editor was given, prompts under way are sent again under their names, which runs nothing
 * twice, and permission requests are asked anew. While there is no connection, nothing is read from the
 * editor.
 */
export function bridgeAcp(options: AcpBridgeOptions): AcpBridge {
  return new Bridge(options);
}

class Bridge implements AcpBridge {
  readonly ended: Promise<void>;
  readonly #options: AcpBridgeOptions;
  readonly #closing = new AbortController();
  readonly #sessions = new OpenSessions();
  readonly #asked = new ServerRequests();
  /** Requests of the editor that are not answered, by the text of their id. */
  readonly #waiting = new Map<string, EditorRequest>();
  /** Own requests, by the text of their id. */
  readonly #own = new Map<string, (response: ResponseMessage) => void>();
  #ownCount = 0;
  readonly #clientId = createName();
  #initialize: EditorRequest | undefined;
  /** The connection that works; undefined while there is none. */
  #server: Transport | undefined;
  /** Of the present connection. */
  #largest = new LargestSent();
  #online: { readonly promise: Promise<void>; readonly resolve: () => void } = deferred();

  constructor(options: AcpBridgeOptions) {
    this.#options = options;
    this.ended = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#online.resolve();
    await Promise.all([this.#server?.close(), this.#options.editor.close()]);
  }

  async #run(): Promise<void> {
    const editorGone = this.#readEditor().finally(() => this.close());
    try {
      await this.#keepConnected();
    } finally {
      await this.close();
      await editorGone;
    }
  }

  async #keepConnected(): Promise<void> {
    const { clock = lastingClock, random = Math.random, backoff = DEFAULT_BACKOFF } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        const server = await this.#options.connect(signal);
        if (await this.#serve(server)) attempt = 0;
      } catch (error) {
        if (signal.aborted) return;
        const verdict = judgeFailure(error, 'websocket');
        if (verdict.kind !== 'transient') throw this.#giveUp(verdict.error);
        this.#log(`no connection: ${verdict.error.message}`);
      }
      if (signal.aborted) return;
      await pause(clock, backoffMs(attempt + 1, random(), backoff), signal);
    }
  }

  /** Serves over one connection until it ends. @returns whether it ever worked. */
  async #serve(server: Transport): Promise<boolean> {
    let hasWorked = false;
    let failure: unknown;
    this.#largest = new LargestSent();
    const begun = this.#begin(server).then(() => {
      hasWorked = true;
      this.#server = server;
      this.#online.resolve();
    });
    // The reader below sees the end of a connection on which this fails.
    begun.catch((error: unknown) => {
      this.#log(String(error));
      void server.close();
    });
    try {
      for await (const frames of server.receive()) {
        for (const frame of frames) {
          const room = this.#onServerFrame(frame);
          if (room !== undefined) await room;
        }
      }
    } catch (error) {
      failure = error;
      this.#log(
        `the connection was lost: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    if (failure !== undefined && isSizeRefused(failure)) this.#refuseLargest();
    this.#lose(server);
    return hasWorked;
  }

  /** What the server has to know before anything of the editor goes on. */
  async #begin(server: Transport): Promise<void> {
    const initialize = this.#initialize;
    if (initialize === undefined) return;
    if (!this.#waiting.has(initialize.idText)) {
      const { method, frame } = initialize;
      const params = JSON.parse(memberText(frame, 'params') ?? '{}') as object;
      await this.#ask(server, method, params);
    } else {
      // The editor has not been answered yet: the first answer is its own.
      void this.#send(server, initialize.frame);
    }
    for (const [sessionId, lastReceivedEventId] of this.#sessions.all) {
      const response = await this.#ask(server, 'session/resume', {
        sessionId,
        lastReceivedEventId,
      });
      if (!response.isError) continue;
      this.#sessions.forget(sessionId);
      this.#log(`session ${sessionId} cannot be gone on with: ${JSON.stringify(response.error)}`);
    }
    for (const request of this.#waiting.values()) {
      if (request !== initialize) void this.#send(server, request.frame);
    }
  }

  #ask(server: Transport, method: string, params: object): Promise<ResponseMessage> {
    const idText = `${OWN_ID}${++this.#ownCount}"`;
    return new Promise((resolve, reject) => {
      this.#own.set(idText, resolve);
      try {
        void this.#send(server, requestFrame(idText, method, params));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** The connection is lost: what may not be sent twice is answered, what was asked is withdrawn. */
  #lose(server: Transport): void {
    void server.close();
    this.#server = undefined;
    this.#online.resolve();
    this.#online = deferred();
    this.#own.clear();
    for (const ownId of this.#asked.giveUp()) {
      const params = `{"requestId":${ownId}}`;
      void this.#toEditor(`{"jsonrpc":"2.0","method":"$/cancel_request","params":${params}}`);
    }
    for (const request of [...this.#waiting.values()]) {
      if (request.method === 'initialize' || isRepeatable(request)) continue;
      this.#waiting.delete(request.idText);
      const message = `The connection to the server was lost; nobody knows what became of ${request.method}`;
      void this.#toEditor(errorFrame(request.idText, LOST, message));
    }
  }

  async #readEditor(): Promise<void> {
    const { signal } = this.#closing;
    for await (const frames of this.#options.editor.receive()) {
      for (const frame of frames) {
        while (this.#server === undefined && this.#initialize !== undefined) {
          await this.#online.promise;
          if (signal.aborted) return;
        }
        const room = typeof frame === 'string' ? this.#onEditorFrame(frame) : undefined;
        if (room !== undefined) await room;
      }
    }
  }

  #onEditorFrame(frame: string): void | Promise<void> {
    const message = parseMessage(frame);
    switch (message.kind) {
      case 'request': {
        const request = toEditorRequest(message, this.#clientId);
        this.#waiting.set(request.idText, request);
        // Without a connection it goes out with the next one.
        if (message.method === 'initialize') this.#initialize = request;
        return this.#toServer(request.frame);
      }
      case 'response': {
        const answer = this.#asked.answer(frame, memberText(frame, 'id') ?? '');
        return answer === undefined ? undefined : this.#toServer(answer);
      }
      case 'notification':
      case 'malformed':
        // The server says what is wrong with it.
        return this.#toServer(frame);
    }
  }

  #onServerFrame(frame: Frame): void | Promise<void> {
    if (typeof frame !== 'string') return;
    const message = parseMessage(frame);
    switch (message.kind) {
      case 'response':
        return this.#onResponse(message);
      case 'request':
        return this.#onRequest(message);
      case 'notification':
        return this.#onNotification(message);
      case 'malformed':
        this.#log(`the server sent something that is no message: ${message.reason}`);
    }
  }

  #onResponse(response: ResponseMessage): void | Promise<void> {
    const idText = memberText(response.text, 'id') ?? '';
    const own = this.#own.get(idText);
    if (own !== undefined) {
      this.#own.delete(idText);
      own(response);
      return;
    }
    const request = this.#waiting.get(idText);
    this.#waiting.delete(idText);
    if (request !== undefined && !response.isError) {
      this.#sessions.onResult(request, response.result);
    }
    return this.#toEditor(response.text);
  }

  #onRequest({ text, idText }: RequestMessage): void | Promise<void> {
    return this.#toEditor(this.#asked.take(text, idText));
  }

  #onNotification({ method, text }: NotificationMessage): void | Promise<void> {
    const params = memberText(text, 'params') ?? '{}';
    if (method === '$/cancel_request') {
      const ownId = this.#asked.ownIdOf(memberText(params, 'requestId') ?? '');
      return ownId === undefined ? undefined : this.#toEditor(withRequestId(text, ownId));
    }
    const room = this.#toEditor(text);
    if (method === 'session/update') this.#sessions.onUpdate(params);
    return room;
  }

  #toEditor(frame: string): void | Promise<void> {
    try {
      return this.#options.editor.send(frame);
    } catch (error) {
      // The editor is gone, which its reader sees too.
      if (!isPeerError(error, 'closed')) throw error;
    }
  }

  #toServer(frame: string): void | Promise<void> {
    const server = this.#server;
    try {
      return server === undefined ? undefined : this.#send(server, frame);
    } catch (error) {
      // The connection has just been lost. Requests are sent again, the rest was about what it carried.
      if (!isPeerError(error, 'closed')) throw error;
    }
  }

  #send(server: Transport, frame: string): void | Promise<void> {
    this.#largest.note(frame);
    return server.send(frame);
  }

  /**
   * The server has closed the connection because of a message's size, which was the largest. If it was a request, it is
   * answered: sent again, it would end the next connection too (B145).
   */
  #refuseLargest(): void {
    for (const { idText, method, frame } of this.#waiting.values()) {
      if (utf8Length(frame) !== this.#largest.bytes) continue;
      this.#waiting.delete(idText);
      const message = `The server closed the connection because ${method} is too large for it`;
      void this.#toEditor(errorFrame(idText, LOST, message));
      return;
    }
  }

  /** The server will not let the editor in: everything that waits is told why. */
  #giveUp(error: ClientError): ClientError {
    for (const { idText } of this.#waiting.values()) {
      void this.#toEditor(errorFrame(idText, LOST, error.message));
    }
    this.#waiting.clear();
    return error;
  }

  #log(line: string): void {
    this.#options.log?.(line);
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
