import type { FastifyInstance } from 'fastify';
import { BROWSER_LIFETIME_MS } from './credential.ts';

/** Reads and writes cookies; an application with the cookie plugin does. */
export type CookieCodec = Pick<FastifyInstance, 'parseCookie' | 'serializeCookie'>;

/**
 * Cookies of one name that are looked at. A page on another port of this machine can set one of the same name for
 * a longer path, which browsers send first; it must not sign anybody out.
 */
const COOKIES_MAX = 32;

/** The cookie of a browser that is signed in. */
export class SessionCookie {
  readonly #isSecure: boolean;
  #codec: CookieCodec | undefined;
  #name = 'signalbox';

  /** @param isSecure whether browsers reach the server by https only. */
  constructor(isSecure: boolean) {
    this.#isSecure = isSecure;
  }

  /**
   * Begins to read and write. Before, no request has a cookie.
   *
   * @param port stands in the cookie's name: cookies ignore ports, and servers must not take each other's.
   */
  open(codec: CookieCodec, port: number): void {
    this.#codec = codec;
    this.#name = `signalbox-${port}`;
  }

  /** What a Cookie header gives for the secret, in its order: up to {@link COOKIES_MAX} values, mostly one. */
  read(header: string | undefined): readonly string[] {
    const secrets: string[] = [];
    // Read one by one, because of several of a name the codec keeps the first.
    for (const pair of header?.split(';') ?? []) {
      const secret = this.#codec?.parseCookie(pair)[this.#name];
      if (secret !== undefined && secrets.push(secret) === COOKIES_MAX) break;
    }
    return secrets;
  }

  /** The Set-Cookie header that gives a browser its secret. */
  give(secret: string): string {
    return this.#serialize(secret, BROWSER_LIFETIME_MS / 1000);
  }

  /** The Set-Cookie header that makes a browser forget it. */
  clear(): string {
    return this.#serialize('', 0);
  }

  #serialize(value: string, maxAge: number): string {
    if (this.#codec === undefined) throw new Error('a cookie is given before the server listens');
    return this.#codec.serializeCookie(this.#name, value, {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure: this.#isSecure,
      maxAge,
    });
  }
}
