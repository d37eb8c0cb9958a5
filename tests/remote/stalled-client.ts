import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';

/** A client that has attached a session and never reads what comes of it, until it is told to. */
export interface StalledClient {
  /** Reads on. Resolves with everything that still comes until the server ends it. */
  readOn(): Promise<StalledEnd>;
  /** Goes away without a word. */
  drop(): void;
}

/** How a stalled client was ended, and what it had got until then. */
export interface StalledEnd {
  /** The last cursor among what it got; undefined if it got none. */
  readonly cursor: string | undefined;
  /** The server's words for it; undefined if it could not say anything. */
  readonly reason: string | undefined;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
};

function attach(sessionId: string): object {
  const params = { sessionId, role: 'observer', after: 'start' };
  return { jsonrpc: '2.0', id: 1, method: '_signalbox/session/attach', params };
}

/** One that came by WebSocket. @param url of the server. */
export async function stallWebSocket(url: string, sessionId: string): Promise<StalledClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/acp`);
  await once(socket, 'open');
  const answers: string[] = [];
  socket.on('message', (data: Buffer) => answers.push(String(data)));
  socket.send(JSON.stringify(INITIALIZE));
  await once(socket, 'message');
  socket.send(JSON.stringify(attach(sessionId)));
  await once(socket, 'message');
  socket.pause();
  return {
    async readOn() {
      const closed = once(socket, 'close') as Promise<[number, Buffer]>;
      socket.resume();
      const [, reason] = await closed;
      return { cursor: lastCursor(answers), reason: String(reason) || undefined };
    },
    drop: () => socket.terminate(),
  };
}

/** One that came by Streamable HTTP and has the session's event stream open. */
export async function stallHttp(url: string, sessionId: string): Promise<StalledClient> {
  const address = `${url}/acp`;
  const opened = await post(address, {}, INITIALIZE);
  const headers = { 'Acp-Connection-Id': opened.headers.get('Acp-Connection-Id') ?? '' };
  const ofSession = { ...headers, 'Acp-Session-Id': sessionId };
  await post(address, ofSession, attach(sessionId));
  const sent = request(address, {
    headers: { ...ofSession, Accept: 'text/event-stream' },
    agent: false,
  });
  sent.on('error', () => undefined);
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // Without anybody who takes its data it is not read.
  return {
    async readOn() {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', () => undefined);
      await new Promise((resolve) => response.on('close', resolve));
      const reason = /^: (\w+)\n\n$/m.exec(text.slice(-50))?.[1];
      return { cursor: lastCursor(text.split('\n\n').slice(0, -1)), reason };
    },
    drop: () => sent.destroy(),
  };
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  message: object,
): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });
  await response.text();
  if (!response.ok) throw new Error(`a POST was answered with ${response.status}`);
  return response;
}

/** The cursor behind the last whole message of events. */
function lastCursor(messages: readonly string[]): string | undefined {
  const last = messages.findLast((message) => message.includes('"_signalbox/session/events"'));
  return last === undefined ? undefined : /"cursor":"([^"]+)"\}\}$/.exec(last)?.[1];
}
