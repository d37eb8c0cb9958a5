import { isObject, parseJson } from '../json/json.ts';
import type { Notes } from '../passive/passive-check.ts';
import { HeaderName } from '../remote/header-name.ts';
import { hasCookies, setCookies } from './cookies.ts';
import { headerOf } from './http-exchange.ts';
import { judge, type WireCheck } from './wire-check.ts';
import { quoteFrame, type SocketFrame, type SocketLog, type WireLog } from './wire-log.ts';

/** What both sides do with WebSockets. */
export const SOCKET_CHECKS: readonly WireCheck[] = [
  {
    name: 'the answer to the upgrade names the connection',
    ids: { agent: ['R-WS-01'] },
    toleratesHostilePeer: true,
    run({ sockets }, notes) {
      for (const { status, answerHeaders } of sockets) {
        if (status !== 101) continue;
        const isOk = (headerOf(answerHeaders, HeaderName.connection) ?? '') !== '';
        const text = 'the answer to the upgrade has no header Acp-Connection-Id';
        judge(notes, { id: 'R-WS-01', side: 'agent', isOk, text });
      }
    },
  },
  {
    name: 'every frame is one message',
    ids: { agent: ['R-WS-03'], client: ['R-WS-03'] },
    toleratesHostilePeer: true,
    run({ sockets }, notes) {
      for (const { frames } of sockets) for (const frame of frames) judgeFrame(frame, notes);
    },
  },
  {
    name: 'sockets are closed with a code that says why',
    ids: { agent: ['R-WS-09'] },
    toleratesHostilePeer: true,
    run({ sockets }, notes) {
      for (const { closing, status } of sockets) {
        if (status !== 101 || closing?.by !== 'agent') continue;
        const { code, reason } = closing;
        const seen = code === 1006 ? 'without a close frame' : `with code ${code} (${reason})`;
        const text = `a socket is closed ${seen}`;
        judge(notes, { id: 'R-WS-09', side: 'agent', isOk: saysWhy(code), text });
      }
    },
  },
  {
    name: 'initialize is the first message on a socket',
    ids: { client: ['R-WS-02'] },
    toleratesHostilePeer: true,
    run({ sockets }, notes) {
      for (const socket of sockets) judgeFirst(socket, notes);
    },
  },
  {
    name: 'cookies come back with the upgrade',
    ids: { client: ['R-WS-06'] },
    toleratesHostilePeer: true,
    run: judgeCookies,
  },
];

function judgeFrame(frame: SocketFrame, notes: Notes): void {
  const { from: side, isBinary, text } = frame;
  const isOk = !isBinary && isObject(parseJson(text));
  const what = isBinary ? 'a binary frame is sent' : 'a frame is not one JSON-RPC message';
  judge(notes, { id: 'R-WS-03', side, isOk, text: what, proof: [quoteFrame(frame)] });
}

/** The codes of the official SDK, the others of RFC 6455 that name a reason, and private ones. */
function saysWhy(code: number): boolean {
  if (code >= 3000 && code <= 4999) return true;
  return code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code);
}

function judgeFirst({ frames, requestHeaders }: SocketLog, notes: Notes): void {
  const first = frames.find(({ from }) => from === 'client');
  if (first === undefined) return;
  const value = first.isBinary ? undefined : parseJson(first.text);
  const isOk = isObject(value) && value['method'] === 'initialize';
  const text = 'the first message on the socket is not initialize';
  judge(notes, { id: 'R-WS-02', side: 'client', isOk, text, proof: [quoteFrame(first)] });
  const reused = headerOf(requestHeaders, HeaderName.connection);
  if (reused === undefined) return;
  const proof = `${HeaderName.connection}: ${reused}`;
  notes.warn('R-WS-02', 'client', 'the upgrade names a connection, but makes a new one', proof);
}

/** Cookies of a connection that has ended may have been dropped; those of mere answers may not. */
function judgeCookies({ sockets, exchanges }: WireLog, notes: Notes): void {
  for (const socket of sockets) {
    const given = [
      ...exchanges.map(({ answer }) => ({ at: answer?.at ?? Infinity, headers: answer?.headers })),
      ...sockets
        .filter(({ status }) => status !== 101)
        .map(({ at, answerHeaders }) => ({ at, headers: answerHeaders })),
    ];
    const cookies = given
      .filter(({ at }) => at < socket.at)
      .flatMap(({ headers }) => setCookies(headers ?? {}));
    if (cookies.length === 0) continue;
    judge(notes, {
      id: 'R-WS-06',
      side: 'client',
      isOk: hasCookies(socket.requestHeaders, cookies),
      text: 'an upgrade lacks the cookie that an earlier answer had set',
    });
  }
}
