import { connect, type ClientHttp2Session } from 'node:http2';
import { timed, TIMED_OUT } from '../process/timed.ts';
import { HeaderName } from './header-name.ts';

/** What came of a request over HTTP/2. */
export interface Http2Answer {
  /** Undefined when there was no answer over HTTP/2. */
  readonly status: number | undefined;
  /** The connection that it made, if it did. */
  readonly connectionId?: string | undefined;
  /** What happened, in one line. */
  readonly text: string;
}

/**
 * POSTs a body over HTTP/2: by ALPN with TLS, and with prior knowledge without. Never rejects, since a
 * server that does not speak HTTP/2 may do anything.
 */
export async function askOverHttp2(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs: number,
): Promise<Http2Answer> {
  const session = connect(url.origin);
  try {
    const answer = await timed(ask(session, url, headers, body), timeoutMs);
    if (answer !== TIMED_OUT) return answer;
    return { status: undefined, text: `no answer within ${timeoutMs} ms` };
  } catch (error) {
    return { status: undefined, text: (error as Error).message };
  } finally {
    session.destroy();
  }
}

function ask(
  session: ClientHttp2Session,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Http2Answer> {
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ status: undefined, text: error.message });
    session.on('error', fail);
    session.on('close', () => fail(new Error('the connection was closed')));
    const path = `${url.pathname}${url.search}`;
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
    stream.on('error', fail);
    stream.on('response', ({ ':status': status, [HeaderName.connection]: id }) => {
      const connectionId = typeof id === 'string' ? id : undefined;
      resolve({ status, connectionId, text: `it is answered with ${status}` });
    });
    stream.end(body);
  });
}
