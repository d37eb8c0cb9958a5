const PREFIX = '#session=';

/** The part of the page's address that names a session. */
export function toHash(sessionId: string): string {
  return PREFIX + encodeURIComponent(sessionId);
}

/** The session that the page's address names; undefined: none. */
export function chosenSession({ hash }: Location): string | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    return decodeURIComponent(hash.slice(PREFIX.length));
  } catch {
    return undefined;
  }
}
