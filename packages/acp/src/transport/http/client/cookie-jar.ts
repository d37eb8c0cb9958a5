import { CookieJar } from 'tough-cookie';
import type { HttpCookies } from './http-client-options.ts';

/**
 * Keeps the cookies of a server in memory, for Node, whose `fetch` keeps none (R-HTTP-21). Give the same jar
 * to the next connection to stay with the server behind a load balancer that the last one was with.
 */
export function createCookieJar(): HttpCookies {
  const jar = new CookieJar();
  // Most servers set none, and each request would look for them.
  let isEmpty = true;
  return {
    getCookieString: (url) => (isEmpty ? Promise.resolve('') : jar.getCookieString(url)),
    setCookie: (text, url) => {
      isEmpty = false;
      // A server may send what is no valid cookie, or one for somebody else, which is not kept.
      return jar.setCookie(text, url, { ignoreError: true });
    },
  };
}
