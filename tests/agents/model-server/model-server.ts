import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicMessages } from './anthropic-messages.ts';
import { readBody } from './body.ts';
import { decide } from './decide.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini.ts';
import { modelList } from './models.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { sendAnswer, sendJson } from './send-answer.ts';

const DIALECTS: readonly Dialect[] = [openaiChat, openaiResponses, anthropicMessages, gemini];

/** How many requests are remembered. */
const REQUESTS_MAX = 1000;

/** A request to the model, as tests look at it. */
export interface SeenRequest {
  readonly path: string;
  /** What users said in the conversation, oldest first; agents' own additions included. */
  readonly userTexts: readonly string[];
  readonly toolNames: readonly string[];
  /** Whether the agent gave it up before the answer was whole. */
  isAborted: boolean;
}

/**
 * A stand-in for the servers of language models, on loopback. It speaks four wire formats, streaming and
 * not, takes any key and any path prefix, and answers what the directives in the last prompt say
 * (`script.ts`); a prompt without any is echoed.
 */
export class ModelServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  readonly #server: Server;

  private constructor(server: Server, requests: SeenRequest[]) {
    this.#server = server;
    this.requests = requests;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<ModelServer> {
    const requests: SeenRequest[] = [];
    const ids = { last: 0 };
    const server = createServer((request, response) => {
      handle(request, response, requests, ids).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { error: { message: String(error), type: 'server_fault' } });
      });
    });
    // Agents that would rather have a web socket go on with plain HTTP then.
    server.on('upgrade', (_request, socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return new ModelServer(server, requests);
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  requests: SeenRequest[],
  ids: { last: number },
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://model');
  const path = url.pathname.replace(/\/+$/, '');
  const text = await readBody(request);
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (path.endsWith('/models')) sendJson(response, 200, modelList(path, request.headers));
    else sendJson(response, path === '' ? 200 : 404, {});
    return;
  }
  const tokens = Math.ceil(text.length / 4);
  if (path.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: tokens });
  if (path.endsWith(':countTokens')) return sendJson(response, 200, { totalTokens: tokens });
  const dialect = DIALECTS.find((one) => one.serves(path));
  if (dialect === undefined) return sendJson(response, 404, {});

  const asked = dialect.read(JSON.parse(text), url);
  const seen: SeenRequest = {
    path,
    userTexts: asked.turns.flatMap((turn) => (turn.kind === 'user' ? [turn.text] : [])),
    toolNames: [...asked.tools.keys()],
    isAborted: false,
  };
  requests.push(seen);
  if (requests.length > REQUESTS_MAX) requests.shift();
  response.on('close', () => (seen.isAborted = !response.writableFinished));
  const answer = decide(asked);
  const outputTokens = Math.ceil(answer.pieces.join('').length / 4) + 1;
  const newId = (prefix: string): string =>
    `${prefix}${(++ids.last).toString(36).padStart(8, '0')}`;
  const context = { request: asked, inputTokens: tokens, outputTokens, newId };
  await sendAnswer(response, { dialect, answer, context, url });
}
