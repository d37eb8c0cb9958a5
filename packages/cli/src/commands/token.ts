import { type Journal, toPrintableLine } from '@signalbox/core';
import { Credentials, type Credential } from '@signalbox/server';
import { loadConfig } from '../config/config.ts';
import { openJournal } from '../config/open-host.ts';
import { chooseStyle } from '../render/style.ts';
import { UsageError } from '../usage-error.ts';
import { toRole } from './role.ts';

const DAY_MS = 24 * 3600_000;

/** `signalbox token create <name>`: the token itself is printed once and stored nowhere. */
export async function createToken(
  name: string,
  options: { readonly role?: string; readonly days?: number },
): Promise<void> {
  const role = toRole(options.role);
  const { days } = options;
  const expiry = days === undefined ? {} : { expiresAt: Date.now() + days * DAY_MS };
  await withCredentials(async (credentials) => {
    const { secret, credential } = await credentials.createToken({ name, role, ...expiry });
    process.stdout.write(`${secret}\n`);
    process.stderr.write(
      `${credential.id}: ${toPrintableLine(name)}, ${role}. It is not shown again.\n`,
    );
  });
}

/** `signalbox token list`. */
export async function listTokens(): Promise<void> {
  const style = chooseStyle(process.stdout);
  await withCredentials(async (credentials) => {
    for (const credential of await credentials.list()) {
      process.stdout.write(`${toLine(credential, style.dim)}\n`);
    }
  });
}

/** `signalbox token revoke <id>`. @throws UsageError when there is none. */
export async function revokeToken(id: string): Promise<void> {
  await withCredentials(async (credentials) => {
    if (await credentials.revoke(id)) return;
    throw new UsageError(`There is no token ${id}; "signalbox token list" shows them`);
  });
}

/** Works on the credentials of this machine's server, whether it runs or not. */
export async function withCredentials<T>(
  work: (credentials: Credentials, journal: Journal) => Promise<T>,
): Promise<T> {
  const journal = await openJournal(loadConfig());
  try {
    return await work(new Credentials({ records: journal.records }), journal);
  } finally {
    await journal.close();
  }
}

function toLine(credential: Credential, dim: (text: string) => string): string {
  const { id, kind, name, role, createdAt, expiresAt, lastUsedAt } = credential;
  const since = (at: number | undefined): string =>
    at === undefined ? 'never' : new Date(at).toISOString().slice(0, 16);
  const times = `made ${since(createdAt)}, used ${since(lastUsedAt)}, ends ${since(expiresAt)}`;
  return `${id}  ${kind.padEnd(7)}  ${role.padEnd(8)}  ${toPrintableLine(name)}  ${dim(times)}`;
}
