import { isClientError, isRpcError, type SignalboxClient } from '@signalbox/client';
import { createNodeClient } from '@signalbox/client/node';
import { toPrintableLine } from '@signalbox/core';
import { loadConfig } from '../config/config.ts';
import { followServer } from '../config/running-server.ts';
import { UsageError } from '../usage-error.ts';
import { VERSION } from '../version.ts';
import { Attendance } from './attach/attendance.ts';
import { LogReader } from './attach/log-reader.ts';
import { Screen } from './attach/screen.ts';
import { toRole } from './role.ts';

/** The options of `signalbox attach`, as the command line gives them. */
export interface AttachOptions {
  readonly server?: string;
  readonly role?: string;
  readonly after?: string;
  readonly untilIdle?: boolean;
  readonly prompt?: string;
}

/** `signalbox attach <session>`: watches a session of a server, answers its questions, prompts it. */
export async function attach(named: string, options: AttachOptions): Promise<number> {
  const role = toRole(options.role);
  const locate = followServer(loadConfig(), options.server);
  const { url, token } = locate();
  const client = createNodeClient({
    url,
    clientInfo: { name: 'signalbox', title: 'signalbox attach', version: VERSION },
    ...(token === undefined ? {} : { token: () => locate().token ?? token }),
  });
  try {
    await whenOnline(client);
    const sessionId = await findOne(client, named);
    const screen = new Screen();
    const reader = new LogReader();
    const session = await client.attach(sessionId, {
      role,
      after: options.after ?? 'start',
      onEvent: (event) => {
        screen.onConnection(event);
        reader.onEvent(event);
      },
    });
    reader.begin(session);
    return await new Attendance(session, reader, screen, options).run();
  } catch (error) {
    if (isClientError(error) || isRpcError(error)) throw new UsageError(error.message);
    throw error;
  } finally {
    await client.close();
  }
}

/** Resolves when the server answers; says so once when it has to be waited for. */
async function whenOnline(client: SignalboxClient): Promise<void> {
  let isTold = false;
  const stop = client.subscribe((state) => {
    if (state.kind !== 'waiting' || isTold) return;
    isTold = true;
    process.stderr.write(`${toPrintableLine(state.reason.message)}; it is tried again.\n`);
  });
  await client.whenOnline().finally(stop);
}

async function findOne(client: SignalboxClient, prefix: string): Promise<string> {
  if (prefix === 'last') return findLast(client);
  const { sessions } = await client.sessions.list({ prefix, limit: 2 });
  const [first, second] = sessions;
  if (first === undefined) throw new UsageError(`The server has no session "${prefix}"`);
  if (second !== undefined) throw new UsageError(`Several sessions begin with "${prefix}"`);
  return first.sessionId;
}

/** The session that was made last. */
async function findLast(client: SignalboxClient): Promise<string> {
  const { sessions } = await client.sessions.list({ order: 'newest', limit: 1 });
  const [last] = sessions;
  if (last === undefined) throw new UsageError('The server has no session');
  return last.sessionId;
}
