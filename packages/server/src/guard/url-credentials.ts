/** Names under which programs put secrets into URLs. */
const NAMES: ReadonlySet<string> = new Set([
  'token',
  'access_token',
  'auth',
  'authorization',
  'api_key',
  'apikey',
  'code',
  'secret',
]);

/** A secret of this server, wherever it stands and whatever it is called. */
const OWN_SECRET = /sb[bx]_[\w-]{43}/;

/** Whether a request's target holds a secret, which logs and histories would keep (B170). */
export function hasUrlCredential(target: string): boolean {
  if (OWN_SECRET.test(target)) return true;
  const start = target.indexOf('?');
  if (start < 0) return false;
  const names = [...new URLSearchParams(target.slice(start)).keys()];
  return names.some((name) => NAMES.has(name.toLowerCase()));
}
