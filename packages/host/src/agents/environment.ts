/**
 * Variables that every agent gets: what programs need to find their home, their language, their
 * temporary files and the network. Everything else of the host's environment stays with the host,
 * because it may hold secrets of other programs and users (B119, B120).
 */
const PASSED: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'SYSTEMROOT',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
]);

/** Proxy settings are written in either case. */
const PROXY = /^(https?|all|no)_proxy$/i;
const LOCALE = /^LC_[A-Z]+$/;
const XDG = /^XDG_[A-Z_]+$/;

/** Marks every process that was started for a session, so that none is left over. */
export const SESSION_MARK = 'SIGNALBOX_SESSION';

/**
 * The environment of an agent: the allowlist, then what the agent's entry names, later ones winning.
 *
 * @param base the host's own environment.
 * @param pass further names to take over from `base`.
 * @param set values to set.
 */
export function toAgentEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  pass: readonly string[],
  set: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  const wanted = new Set(pass);
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && (isPassed(name) || wanted.has(name))) environment[name] = value;
  }
  return { ...environment, ...set };
}

function isPassed(name: string): boolean {
  return PASSED.has(name) || PROXY.test(name) || LOCALE.test(name) || XDG.test(name);
}
