import { isIP } from 'node:net';
import { ServerError } from '../server-error.ts';

/** How long a network's prefix may be, by the version of IP. */
const PREFIX_MAX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** @throws ServerError `options_invalid` for what is neither an address nor a network such as `10.0.0.0/8`. */
export function assertProxies(proxies: readonly string[]): void {
  for (const text of proxies) {
    const [, address = '', prefix = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const max = PREFIX_MAX[isIP(address)];
    if (max !== undefined && Number(prefix) <= max) continue;
    const hint = 'Give its address, or its network such as "10.0.0.0/8".';
    throw new ServerError('options_invalid', `"${text}" is not the address of a proxy`, { hint });
  }
}
