import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Door } from '../server/acp-client.ts';
import type { Box } from '../server/box.ts';
import { EventStream } from '../server/event-stream.ts';

/** A connection over which a test sends any text as a message. */
export interface RawDoor {
  /** Sends a text; resolves with the next message that comes, whatever that is. */
  ask(text: string): Promise<string>;
  /** Sends a text that nothing is to come for. */
  tell(text: string): Promise<void>;
  close(): void;
}

export const INITIALIZE =
  '{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":1}}';

/** Opens a connection; nothing has been sent over it yet. */
export function openRawDoor(box: Box, door: Door): Promise<RawDoor> {
  return door === 'websocket' ? openSocket(box) : openHttp(box);
}

async function openSocket(box: Box): Promise<RawDoor> {
  const headers = await box.token();
  const socket = new WebSocket(box.url('/acp').replace(/^http/, 'ws'), { headers });
  await once(socket, 'open');
  const received: string[] = [];
  let wake = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    received.push(data.toString());
    wake();
  });
  return {
    ask: async (text) => {
      socket.send(text);
      while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return received.shift() ?? '';
    },
    tell: (text) => new Promise((resolve) => socket.send(text, () => resolve())),
    close: () => socket.terminate(),
  };
}

/** Messages come as the answer to a POST, or else on the stream of the connection. */
async function openHttp(box: Box): Promise<RawDoor> {
  let headers: Record<string, string> = await box.token();
  let stream: EventStream | undefined;
  let read = 0;
  const post = (body: string) =>
    box.ask('/acp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const ask = async (text: string): Promise<string> => {
    const answer = await post(text);
    if (answer.status === 200 && answer.text.includes('"result"')) {
      headers = { ...headers, 'acp-connection-id': String(answer.headers['acp-connection-id']) };
      stream = await EventStream.open(box.url('/acp'), headers);
    }
    if (answer.status !== 202) return answer.text;
    await stream?.until(() => (stream?.events.length ?? 0) > read);
    return stream?.events[read++]?.data ?? '';
  };
  return { ask, tell: async (text) => void (await post(text)), close: () => stream?.close() };
}
