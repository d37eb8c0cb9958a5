import { loadConfig } from '../config/config.ts';
import { findPublicUrl } from '../config/running-server.ts';
import { toRole } from './role.ts';
import { withCredentials } from './token.ts';

/** `signalbox login`: a link for one browser, which works once and for five minutes. */
export async function login(options: { readonly role?: string }): Promise<void> {
  const url = findPublicUrl(loadConfig());
  const role = toRole(options.role);
  const { code } = await withCredentials((credentials) => credentials.createLoginCode({ role }));
  process.stdout.write(`${toLoginLink(url, code)}\n`);
}

/** The code stands behind the "#", which browsers send to nobody. */
export function toLoginLink(url: string, code: string): string {
  return `${url}/login#code=${code}`;
}
