import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { timed, TIMED_OUT } from '../../../process/timed.ts';
import { HeaderName } from '../../../remote/header-name.ts';
import { LineCutter } from '../../../trace/line-cutter.ts';
import type { SocketLog } from '../../../wire/wire-log.ts';
import { ScriptedAgent } from '../scripted-agent.ts';
import type { ScriptedPort } from '../scripted-port.ts';
import type { DoorParts } from './http-door.ts';

/** WebSockets as the kit offers them to a client under test. */
export class SocketDoor {
  readonly #parts: DoorParts;
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #logs = new WeakMap<IncomingMessage, SocketLog>();
  #upgrades = 0;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#server.on('headers', (headers, request) => {
      const id = randomUUID();
      headers.push(`${HeaderName.connection}: ${id}`, `Set-Cookie: ${parts.cookie}`);
      const log = this.#logs.get(request);
      if (log !== undefined) log.answerHeaders = { [HeaderName.connection]: id };
    });
  }

  /** Serves an upgrade, or refuses it with a status. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, refusal?: number): void {
    const log = this.#parts.log.addSocket(request.headers);
    this.#logs.set(request, log);
    const isFirst = this.#upgrades++ === 0;
    const isRefused = isFirst && this.#parts.scenario.endpoint?.refusesFirstUpgrade === true;
    log.status = refusal ?? (isRefused ? 503 : 101);
    if (log.status === 101) {
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#serve(opened, log));
      return;
    }
    log.answerHeaders = { 'set-cookie': this.#parts.cookie };
    refuse(socket, log.status, [`Set-Cookie: ${this.#parts.cookie}`, 'Retry-After: 0']);
  }

  /** Ends all sockets at once. */
  close(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  #serve(socket: WebSocket, log: SocketLog): void {
    const { scenario, answerMs, report } = this.#parts;
    const agent = new ScriptedAgent(scenario, portOf(socket, log, report), answerMs);
    socket.on('message', (data, isBinary) => {
      const bytes = Buffer.from(data as Buffer);
      log.frames.push({ from: 'client', isBinary, text: bytes.toString('utf8') });
      if (!isBinary) agent.receiveMessage(bytes);
    });
    socket.on('ping', () => log.pings++);
    socket.on('pong', () => log.pongs++);
    socket.on('close', () => agent.end());
    // A client that breaks the rules of WebSockets, or just goes, has gone.
    socket.on('error', () => undefined);
  }
}

function portOf(socket: WebSocket, log: SocketLog, report: (line: string) => void): ScriptedPort {
  const cutter = new LineCutter();
  const send = (bytes: Uint8Array, isBinary: boolean): Promise<void> => {
    log.frames.push({ from: 'agent', isBinary, text: Buffer.from(bytes).toString('utf8') });
    return new Promise((done) => socket.send(bytes, { binary: isBinary }, () => done()));
  };
  return {
    transport: 'websocket',
    report,
    write: async (bytes) => {
      for (const line of cutter.push(bytes)) await send(line.bytes, false);
    },
    socket: {
      binary: (bytes) => send(bytes, true),
      ping: async (timeoutMs) => {
        const pong = new Promise<void>((resolve) => socket.once('pong', () => resolve()));
        socket.ping();
        return (await timed(pong, timeoutMs)) !== TIMED_OUT;
      },
    },
  };
}

/** Refuses an upgrade by a status. */
function refuse(socket: Duplex, status: number, headers: readonly string[]): void {
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Length: 0',
    'Connection: close',
    ...headers,
  ];
  // The client may have gone already.
  socket.on('error', () => undefined);
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
}
