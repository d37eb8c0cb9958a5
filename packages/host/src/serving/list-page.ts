import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ListSessionsRequest, ListSessionsResponse, SessionInfo } from '@signalbox/acp';
import type { SessionId } from '@signalbox/core';
import type { Host } from '../hosting/host.ts';
import type { SessionSummary } from '../hosting/session-list.ts';
import { invalidParams } from './to-rpc-error.ts';

/** Sessions on one page. */
export const PAGE_LENGTH = 100;

/** Lines of the list that are read at a time. */
const READ_LENGTH = 500;

/**
 * One page of the sessions with this agent, the newest first. The order is that of their making, so a
 * session that works on while somebody pages neither vanishes nor comes twice (B136, R-LST-06).
 *
 * @throws RpcError -32602 for a cursor that we did not give out, or not for this question.
 */
export async function listPage(
  host: Host,
  agent: string,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  if (cwd != null && !isAbsolute(cwd)) throw invalidParams('/cwd must be an absolute path');
  const filter = { agent, cwd: cwd ?? null };
  const before = cursor == null ? undefined : parseCursor(cursor, filter);
  const found = await newestBefore(host, filter, before);
  const page = found.slice(0, PAGE_LENGTH);
  const last = page[page.length - 1];
  const hasMore = found.length > page.length && last !== undefined;
  return {
    sessions: page.map(toInfo),
    ...(hasMore ? { nextCursor: toCursor(last.sessionId, filter) } : {}),
  };
}

interface Filter {
  readonly agent: string;
  readonly cwd: string | null;
}

/** The last sessions that were made before `before`, newest first, and one more if there is one. */
async function newestBefore(
  host: Host,
  { agent, cwd }: Filter,
  before: SessionId | undefined,
): Promise<SessionSummary[]> {
  const folders = cwd === null ? undefined : spellingsOf(cwd);
  const found: SessionSummary[] = [];
  let after = before;
  for (;;) {
    const lines = await host.listSessions({
      limit: READ_LENGTH,
      order: 'newest',
      ...(after === undefined ? {} : { after }),
    });
    const fitting = lines.filter(
      (line) => line.agent === agent && (folders === undefined || folders.has(line.cwd)),
    );
    found.push(...fitting);
    after = lines[lines.length - 1]?.sessionId;
    const isEnd = lines.length < READ_LENGTH || after === undefined;
    if (isEnd || found.length > PAGE_LENGTH) return found;
  }
}

/** A folder as it was named, and as it is without links (B99). */
function spellingsOf(cwd: string): ReadonlySet<string> {
  const plain = withoutEndingSlashes(cwd);
  try {
    return new Set([cwd, plain, realpathSync(cwd)]);
  } catch {
    return new Set([cwd, plain]);
  }
}

/** By hand: an expression would look at each run of slashes within the path from each of its places. */
function withoutEndingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function toInfo({ sessionId, cwd, title, updatedAt }: SessionSummary): SessionInfo {
  const info = { sessionId, cwd, updatedAt: new Date(updatedAt).toISOString() };
  return title === '' ? info : { ...info, title };
}

function toCursor(before: string, { agent, cwd }: Filter): string {
  return Buffer.from(JSON.stringify([1, before, agent, cwd])).toString('base64url');
}

/** The session that the page before ended with. Only exactly what we gave out is taken. */
function parseCursor(cursor: string, filter: Filter): SessionId {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const before = Array.isArray(parts) ? (parts[1] as unknown) : undefined;
    if (typeof before === 'string' && toCursor(before, filter) === cursor) {
      return before as SessionId;
    }
  } catch {
    // Not one of ours either.
  }
  throw invalidParams('/cursor is none that was given out for this list');
}
