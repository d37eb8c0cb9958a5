import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { memberText, RawJson, type RequestMessage } from '@signalbox/acp';
import type { SessionSetup } from '../hosting/session-setup.ts';
import { invalidParams } from './to-rpc-error.ts';

/**
 * What a client says of the session that it makes or opens, exactly as it was sent.
 *
 * @throws RpcError -32602 for further roots that are no list of absolute paths (R-DIR-03). The checked
 *   params do not tell: what does not fit is left out of them.
 */
export function toSetup(message: RequestMessage): SessionSetup {
  const params = memberText(message.text, 'params') ?? '{}';
  const servers = memberText(params, 'mcpServers');
  const roots = memberText(params, 'additionalDirectories');
  return {
    ...(servers === undefined || servers === 'null' ? {} : { mcpServers: new RawJson(servers) }),
    ...(roots === undefined ? {} : { additionalDirectories: toRoots(roots) }),
  };
}

/** @throws RpcError -32602 when a session cannot work there (R-SES-05). */
export function assertAbsolute(cwd: string): void {
  if (!isAbsolute(cwd)) throw invalidParams('/cwd must be an absolute path', { cwd });
}

/**
 * A session stays in its folder: agent, guard and terminals agree on it, so a client that names another
 * one is refused (B134). Two spellings of one folder are the same.
 *
 * @throws RpcError -32602.
 */
export function assertSameFolder(named: string, own: string, sessionId: string): void {
  if (named === own || realFolder(named) === realFolder(own)) return;
  const message = `session ${sessionId} works in ${own}, not in ${named}`;
  throw invalidParams(message, { sessionId, cwd: own });
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function toRoots(text: string): string[] {
  const roots: unknown = JSON.parse(text);
  if (roots === null) return [];
  const isFine = (root: unknown): root is string => typeof root === 'string' && isAbsolute(root);
  if (Array.isArray(roots) && roots.every(isFine)) return roots;
  throw invalidParams('/additionalDirectories must be a list of absolute paths');
}
