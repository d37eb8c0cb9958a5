import { at, isObject, parseJson, stringAt, type JsonObject } from '../json/json.ts';
import type { Notes } from '../passive/passive-check.ts';
import { EVENT_STREAM_TYPE, HeaderName, JSON_TYPE, mediaType } from '../remote/header-name.ts';
import { answerStream } from '../remote/session-scope.ts';
import { headerOf, quoteExchange, type HttpAnswer, type HttpExchange } from './http-exchange.ts';
import { judge, type WireCheck } from './wire-check.ts';
import { quoteEvent, type StreamEvent, type WireLog } from './wire-log.ts';

/** What an agent does behind Streamable HTTP. */
export const HTTP_AGENT_CHECKS: readonly WireCheck[] = [
  {
    name: 'initialize is answered in the body of its POST',
    ids: { agent: ['R-HTTP-06'] },
    toleratesHostilePeer: true,
    run({ exchanges }, notes) {
      for (const exchange of exchanges) {
        const isNew = headerOf(exchange.headers, HeaderName.connection) === undefined;
        if (isNew && isAccepted(exchange) && methodOf(exchange) === 'initialize') {
          judgeInitialize(exchange, notes);
        }
      }
    },
  },
  {
    name: 'POSTs are answered with 202 and nothing else',
    ids: { agent: ['R-HTTP-08'] },
    toleratesHostilePeer: true,
    run({ exchanges }, notes) {
      for (const exchange of exchanges) {
        const isLater = headerOf(exchange.headers, HeaderName.connection) !== undefined;
        if (!isLater || !isAccepted(exchange) || !isObject(parseJson(exchange.body))) continue;
        const { status, body } = exchange.answer ?? {};
        judge(notes, {
          id: 'R-HTTP-08',
          side: 'agent',
          isOk: status === 202 && body === '',
          text: `a POST is answered with ${status}${body === '' ? '' : ' and a body'}`,
          proof: [quoteExchange(exchange)],
        });
      }
    },
  },
  {
    name: 'streams are event streams',
    ids: { agent: ['R-HTTP-14', 'R-HTTP-15'] },
    toleratesHostilePeer: true,
    run({ exchanges }, notes) {
      for (const exchange of exchanges) {
        if (exchange.method === 'GET' && exchange.answer?.status === 200) {
          judgeStreamType(exchange, exchange.answer, notes);
        }
      }
    },
  },
  {
    name: 'messages come on their streams, each once',
    ids: { agent: ['R-HTTP-14', 'R-HTTP-15'] },
    toleratesHostilePeer: false,
    run: judgeStreams,
  },
  {
    name: 'comments keep streams alive',
    ids: { agent: ['R-HTTP-28'] },
    toleratesHostilePeer: true,
    run({ comments }, notes) {
      if (comments > 0) notes.ok('R-HTTP-28', 'agent');
    },
  },
];

function judgeInitialize(exchange: HttpExchange, notes: Notes): void {
  const { status, headers = {}, body = '' } = exchange.answer ?? {};
  const answer = parseJson(body);
  const isMessage =
    isObject(answer) && ('result' in answer || 'error' in answer) && !('method' in answer);
  const isJson = mediaType(headerOf(headers, 'content-type')) === JSON_TYPE;
  const hasId = (headerOf(headers, HeaderName.connection) ?? '') !== '';
  const wrong = [
    ...(status === 200 ? [] : [`the status ${status}`]),
    ...(isJson && isMessage ? [] : ['a body that is no JSON-RPC response']),
    // A connection that was refused needs no id.
    ...(hasId || (isObject(answer) && isObject(answer['error']))
      ? []
      : ['no header Acp-Connection-Id']),
  ];
  judge(notes, {
    id: 'R-HTTP-06',
    side: 'agent',
    isOk: wrong.length === 0,
    text: `initialize is answered with ${wrong.join(' and ')}`,
    proof: [quoteExchange(exchange)],
  });
}

function judgeStreamType(exchange: HttpExchange, answer: HttpAnswer, notes: Notes): void {
  const { headers } = exchange;
  if (headerOf(headers, HeaderName.connection) === undefined) return;
  if (headerOf(headers, 'accept')?.includes(EVENT_STREAM_TYPE) !== true) return;
  const type = mediaType(headerOf(answer.headers, 'content-type'));
  judge(notes, {
    id: headerOf(headers, HeaderName.session) === undefined ? 'R-HTTP-14' : 'R-HTTP-15',
    side: 'agent',
    isOk: type === EVENT_STREAM_TYPE,
    text: `a stream has the type ${type === undefined || type === '' ? '(none)' : type}`,
    proof: [quoteExchange(exchange)],
  });
}

interface Asked {
  readonly method: string;
  readonly params: unknown;
  isAnswered: boolean;
}

function judgeStreams({ exchanges, events }: WireLog, notes: Notes): void {
  const asked = new Map<string, Asked>();
  for (const exchange of exchanges) {
    const message = parseJson(exchange.body);
    if (!isAccepted(exchange) || !isObject(message) || message['id'] === undefined) continue;
    const method = methodOf(exchange);
    if (method === undefined) continue;
    const request = { method, params: message['params'], isAnswered: false };
    asked.set(JSON.stringify(message['id']), request);
  }
  for (const event of events) {
    const message = parseJson(event.data);
    const isMessage = isObject(message);
    const text = 'an event is not one JSON-RPC message';
    if (!isMessage) notes.bad('R-HTTP-15', 'agent', text, quoteEvent(event));
    else if (typeof message['method'] === 'string') judgeOwn(event, message, notes);
    else judgeAnswer(event, asked.get(JSON.stringify(message['id']) ?? ''), notes);
  }
}

/** A message that the agent sends on its own. */
function judgeOwn(event: StreamEvent, message: JsonObject, notes: Notes): void {
  const session = stringAt(message, 'params', 'sessionId');
  judge(notes, {
    id: session === undefined ? 'R-HTTP-14' : 'R-HTTP-15',
    side: 'agent',
    isOk: event.stream === session,
    text: `${String(message['method'])} does not come on the stream that it belongs to`,
    proof: [quoteEvent(event)],
  });
}

function judgeAnswer(event: StreamEvent, asked: Asked | undefined, notes: Notes): void {
  if (asked === undefined) return;
  const { method, params, isAnswered } = asked;
  asked.isAnswered = true;
  const proof = quoteEvent(event);
  if (isAnswered) {
    notes.bad('R-HTTP-15', 'agent', `${method} is answered by two events`, proof);
    return;
  }
  const where = answerStream(method, params);
  if (where === 'either') return;
  const session = where === 'session' ? at(params, 'sessionId') : undefined;
  const id = where === 'session' ? 'R-HTTP-15' : 'R-HTTP-14';
  const text = `the answer to ${method} does not come on the ${where}'s stream`;
  if (event.stream === session) notes.ok(id, 'agent');
  // The stream of a session that has just gone may be gone, too.
  else if (method === 'session/close' || method === 'session/delete') {
    notes.warn(id, 'agent', text, proof);
  } else notes.bad(id, 'agent', text, proof);
}

function isAccepted({ method, answer }: HttpExchange): boolean {
  return method === 'POST' && answer !== undefined && answer.status >= 200 && answer.status < 300;
}

function methodOf({ body }: HttpExchange): string | undefined {
  return stringAt(parseJson(body), 'method');
}
