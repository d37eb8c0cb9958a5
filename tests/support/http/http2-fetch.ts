import { connect, type ClientHttp2Session } from 'node:http2';
import { Readable } from 'node:stream';

/** A `fetch` over one HTTP/2 connection without TLS, as far as an ACP client needs it. */
export class Http2Fetch {
  readonly session: ClientHttp2Session;

  constructor(origin: string) {
    this.session = connect(origin);
    this.session.on('error', () => undefined);
  }

  readonly fetch = (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    const { method = 'GET', headers = {}, body, signal } = init;
    const stream = this.session.request(
      { ':method': method, ':path': pathname, ...(headers as Record<string, string>) },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(body as string);
    signal?.addEventListener('abort', () => stream.close());
    return new Promise((resolve, reject) => {
      stream.on('error', reject);
      stream.on('close', () => reject(new Error('the stream was closed')));
      stream.on('response', (answer) => {
        const pairs = Object.entries(answer).filter(([name]) => !name.startsWith(':'));
        const status = Number(answer[':status']);
        const content = Readable.toWeb(stream) as ReadableStream<Uint8Array>;
        resolve(
          new Response(content, {
            status,
            headers: pairs.map(([name, value]) => [name, String(value)]),
          }),
        );
      });
    });
  };

  readonly close = (): void => this.session.destroy();
}
