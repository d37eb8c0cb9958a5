import { isObject, parseJson, stringAt } from '../json/json.ts';
import type { Notes } from '../passive/passive-check.ts';
import { HeaderName, JSON_TYPE, mediaType, takesEvents } from '../remote/header-name.ts';
import { isSessionScoped } from '../remote/session-scope.ts';
import { hasCookies, setCookies } from './cookies.ts';
import { headerOf, quoteExchange, type HttpExchange } from './http-exchange.ts';
import { judge, type WireCheck } from './wire-check.ts';
import type { WireLog } from './wire-log.ts';

/** What a client does over Streamable HTTP. */
export const HTTP_CLIENT_CHECKS: readonly WireCheck[] = [
  {
    name: 'POSTs carry one message as JSON',
    ids: { client: ['R-HTTP-04'] },
    toleratesHostilePeer: true,
    run({ exchanges }, notes) {
      for (const exchange of exchanges.filter(isPost)) {
        const type = headerOf(exchange.headers, 'content-type');
        const isMessage = isObject(parseJson(exchange.body));
        judge(notes, {
          id: 'R-HTTP-04',
          side: 'client',
          isOk: mediaType(type) === JSON_TYPE && isMessage,
          text: isMessage
            ? `a message is sent as ${type ?? 'no type'}`
            : 'a body is not one message',
          proof: [quoteExchange(exchange)],
        });
      }
    },
  },
  {
    name: 'requests name their connection',
    ids: { client: ['R-HTTP-07'] },
    toleratesHostilePeer: true,
    run(log, notes) {
      const issued = issuedIds(log);
      if (issued.size === 0) return;
      for (const exchange of log.exchanges) {
        const id = headerOf(exchange.headers, HeaderName.connection);
        if (id === undefined && methodOf(exchange) === 'initialize') continue;
        judge(notes, {
          id: 'R-HTTP-07',
          side: 'client',
          isOk: id !== undefined && issued.has(id),
          text: 'a request does not name the connection that initialize has made',
          proof: [quoteExchange(exchange)],
        });
      }
    },
  },
  {
    name: 'messages of a session name it in a header',
    ids: { client: ['R-HTTP-10'] },
    toleratesHostilePeer: false,
    run(log, notes) {
      for (const exchange of log.exchanges.filter(isPost)) judgeSession(exchange, log, notes);
    },
  },
  {
    name: 'a stream is opened for the connection and for each session',
    ids: { client: ['R-HTTP-12'] },
    toleratesHostilePeer: true,
    run: judgeStreams,
  },
  {
    name: 'cookies come back',
    ids: { client: ['R-HTTP-21'] },
    toleratesHostilePeer: true,
    run({ exchanges }, notes) {
      for (const { answer } of exchanges) {
        const id = headerOf(answer?.headers ?? {}, HeaderName.connection);
        const cookies = setCookies(answer?.headers ?? {});
        if (id === undefined || cookies.length === 0) continue;
        const later = exchanges.filter(
          ({ headers }) => headerOf(headers, HeaderName.connection) === id,
        );
        for (const exchange of later) {
          judge(notes, {
            id: 'R-HTTP-21',
            side: 'client',
            isOk: hasCookies(exchange.headers, cookies),
            text: 'a request lacks the cookie that was set by the answer to initialize',
            proof: [quoteExchange(exchange)],
          });
        }
      }
    },
  },
  {
    name: 'the protocol version is named behind initialize',
    ids: { client: ['R-HTTP-24'] },
    toleratesHostilePeer: true,
    run({ exchanges }, notes) {
      for (const exchange of exchanges) {
        const version = headerOf(exchange.headers, HeaderName.version);
        // It is only planned, so leaving it out is nothing to speak of.
        if (version === undefined) continue;
        judge(notes, {
          id: 'R-HTTP-24',
          side: 'client',
          isOk: version === '1',
          text: `the header names version ${version}, but 1 was agreed`,
          proof: [quoteExchange(exchange)],
        });
      }
    },
  },
  {
    name: 'what depends on a message is sent behind its 202',
    ids: { client: ['R-HTTP-18'] },
    toleratesHostilePeer: true,
    run({ exchanges }, notes) {
      for (const exchange of exchanges.filter(isPost)) judgeOrder(exchange, exchanges, notes);
    },
  },
];

/** Messages whose effect depends on one that was sent before, and that one. */
const DEPENDS: Readonly<Record<string, readonly string[]>> = {
  'session/cancel': ['session/prompt'],
  'session/prompt': ['session/set_mode', 'session/set_config_option'],
};

function judgeOrder(
  exchange: HttpExchange,
  exchanges: readonly HttpExchange[],
  notes: Notes,
): void {
  const session = headerOf(exchange.headers, HeaderName.session);
  const before = exchanges.filter(
    (other) =>
      other.at < exchange.at &&
      headerOf(other.headers, HeaderName.session) === session &&
      DEPENDS[methodOf(exchange) ?? '']?.includes(methodOf(other) ?? '') === true,
  );
  for (const other of before) {
    judge(notes, {
      id: 'R-HTTP-18',
      side: 'client',
      isOk: other.answer !== undefined && other.answer.at <= exchange.at,
      text: `${methodOf(exchange)} is sent before ${methodOf(other)} is accepted`,
      proof: [quoteExchange(other), quoteExchange(exchange)],
    });
  }
}

function judgeSession(exchange: HttpExchange, { events }: WireLog, notes: Notes): void {
  const message = parseJson(exchange.body);
  const method = stringAt(message, 'method');
  const own = isObject(message) ? JSON.stringify(message['id']) : undefined;
  const asked = events
    .map(({ data }) => parseJson(data))
    .find(
      (each) =>
        isObject(each) && typeof each['method'] === 'string' && JSON.stringify(each['id']) === own,
    );
  const params = isObject(message) ? message['params'] : undefined;
  const named =
    method === undefined ? stringAt(asked, 'params', 'sessionId') : stringAt(params, 'sessionId');
  const isNeeded = method === undefined ? named !== undefined : isSessionScoped(method, params);
  if (!isNeeded) return;
  const header = headerOf(exchange.headers, HeaderName.session);
  judge(notes, {
    id: 'R-HTTP-10',
    side: 'client',
    isOk: header !== undefined && (named === undefined || header === named),
    text: `${method ?? 'an answer'} of a session is sent ${header === undefined ? 'without' : 'with another'} Acp-Session-Id`,
    proof: [quoteExchange(exchange)],
  });
}

function judgeStreams({ exchanges }: WireLog, notes: Notes): void {
  const streams = exchanges.filter(({ method }) => method === 'GET');
  for (const stream of streams) {
    judge(notes, {
      id: 'R-HTTP-12',
      side: 'client',
      isOk: takesEvents(headerOf(stream.headers, 'accept')),
      text: 'a stream is asked for without Accept: text/event-stream',
      proof: [quoteExchange(stream)],
    });
  }
  for (const prompt of exchanges.filter((each) => methodOf(each) === 'session/prompt')) {
    const connection = headerOf(prompt.headers, HeaderName.connection);
    const own = streams.filter(
      ({ headers }) => headerOf(headers, HeaderName.connection) === connection,
    );
    const session = headerOf(prompt.headers, HeaderName.session);
    for (const wanted of new Set([undefined, session])) {
      judge(notes, {
        id: 'R-HTTP-12',
        side: 'client',
        isOk: own.some(({ headers }) => headerOf(headers, HeaderName.session) === wanted),
        text: `no stream of the ${wanted === undefined ? 'connection' : 'session'} is opened`,
        proof: [quoteExchange(prompt)],
      });
    }
  }
}

function issuedIds({ exchanges }: WireLog): ReadonlySet<string> {
  const ids = exchanges.map(({ answer }) => headerOf(answer?.headers ?? {}, HeaderName.connection));
  return new Set(ids.filter((id) => id !== undefined));
}

function isPost({ method }: HttpExchange): boolean {
  return method === 'POST';
}

function methodOf({ body }: HttpExchange): string | undefined {
  return stringAt(parseJson(body), 'method');
}
