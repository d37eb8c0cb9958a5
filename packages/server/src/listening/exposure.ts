import { isIPv4 } from 'node:net';
import { ServerError } from '../server-error.ts';

/** What decides who can reach a server, and who can read what it says. */
export interface Exposure {
  /** The address that is listened on. */
  readonly host: string;
  readonly hasTls: boolean;
  readonly isBehindProxy: boolean;
  readonly requiresAuth: boolean;
}

/**
 * Refuses to serve others than this machine where their secrets could be read on the way, and to serve
 * anybody unknown but from this machine.
 *
 * @throws ServerError `exposure_refused`.
 */
export function assertSafeExposure({ host, hasTls, isBehindProxy, requiresAuth }: Exposure): void {
  const isLocal = isLoopback(host) && !isBehindProxy;
  if (!requiresAuth && !isLocal) {
    throw new ServerError(
      'exposure_refused',
      `${host} can be reached from other machines, and whoever reaches the server can run commands here`,
      { hint: 'Require authentication, or listen on 127.0.0.1 without a proxy.' },
    );
  }
  if (isLoopback(host) || hasTls || isBehindProxy) return;
  throw new ServerError(
    'exposure_refused',
    `${host} can be reached from other machines, and without TLS everybody on the way can read tokens`,
    { hint: 'Give a key and a certificate, say which proxy does TLS, or listen on 127.0.0.1.' },
  );
}

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost' || host === '::1') return true;
  return isIPv4(host) && host.startsWith('127.');
}
