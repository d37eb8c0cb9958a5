import type { FastifyInstance } from 'fastify';
import { BROWSER_LIFETIME_MS } from './credential.ts';

/** Reads and writes cookies; an application with the cookie plugin does. */
export type CookieCodec = Pick<FastifyInstance, 'parseCookie' | 'serializeCookie'>;

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

  /** The secret in a Cookie header. */
  read(header: string | undefined): string | undefined {
    return header === undefined ? undefined : this.#codec?.parseCookie(header)[this.#name];
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
