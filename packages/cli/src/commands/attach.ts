import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { PermissionOption } from '@signalbox/acp';
import {
  isClientError,
  isRpcError,
  type PromptEnd,
  type RemoteSession,
  type RemoteSessionEvent,
  type SignalboxClient,
} from '@signalbox/client';
import { createNodeClient } from '@signalbox/client/node';
import { toExactLine, toPrintableLine } from '@signalbox/core';
import { loadConfig } from '../config/config.ts';
import { followServer } from '../config/running-server.ts';
import { ExitCode, exitCodeOfTurn } from '../exit-codes.ts';
import { permissionText } from '../render/permission-text.ts';
import { chooseStyle } from '../render/style.ts';
import { TextRenderer } from '../render/text-renderer.ts';
import { permissionKeys } from '../terminal/permission-keys.ts';
import { UsageError } from '../usage-error.ts';
import { VERSION } from '../version.ts';
import { toRole } from './role.ts';
import { signalled } from './signalled.ts';

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
    const session = await client.attach(sessionId, {
      role,
      after: options.after ?? 'start',
      onEvent: (event) => screen.show(event),
    });
    return await new Attendance(session, screen, options).run();
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

/** What the terminal shows of a session. */
class Screen {
  readonly style = chooseStyle(process.stdout);
  readonly renderer = new TextRenderer((text) => process.stdout.write(text), this.style, {
    showPrompts: true,
  });
  /** Called with each event after it was shown. */
  onShown: ((event: RemoteSessionEvent) => void) | undefined;

  show(event: RemoteSessionEvent): void {
    if (event.type === 'event') this.renderer.render(event.event);
    else if (event.type === 'detached') this.notice('Disconnected; it is tried again.');
    else if (event.type === 'attached') this.notice('Connected.');
    else if (event.type === 'gap') this.notice('Events are missing; the session stands as below.');
    this.onShown?.(event);
  }

  notice(text: string): void {
    this.renderer.endLine();
    process.stderr.write(`${this.style.dim(text)}\n`);
  }
}

/** One person at a terminal, and a session. */
class Attendance {
  readonly #session: RemoteSession;
  readonly #screen: Screen;
  readonly #options: AttachOptions;
  #lines: Interface | undefined;
  /** The request that the next line answers. */
  #asked:
    { readonly permissionId: string; readonly options: readonly PermissionOption[] } | undefined;

  constructor(session: RemoteSession, screen: Screen, options: AttachOptions) {
    this.#session = session;
    this.#screen = screen;
    this.#options = options;
  }

  async run(): Promise<number> {
    const { prompt, untilIdle } = this.#options;
    // Whoever goes before the end that was waited for does not know how that was (B151).
    const awaitsEnd = prompt !== undefined || untilIdle === true;
    const ended = new Promise<number>((resolve, reject) => {
      this.#screen.onShown = (event) => {
        this.#ask(event);
        if (event.type === 'ended' && event.reason === 'deleted') {
          this.#screen.notice('The session was deleted.');
          resolve(awaitsEnd ? ExitCode.SessionNotFound : ExitCode.Ok);
        } else if (event.type === 'ended') {
          reject(event.error ?? new Error('the session cannot be followed any more'));
        }
        if (untilIdle === true && this.#isIdle) resolve(ExitCode.Ok);
      };
    });
    this.#ask();
    if (untilIdle === true && this.#isIdle) return ExitCode.Ok;
    const left = signalled().then(() => (awaitsEnd ? ExitCode.Cancelled : ExitCode.Ok));
    const ways: Promise<number>[] = [ended, left];
    if (prompt !== undefined) ways.push(this.#prompt(prompt).then(toExitCode));
    else if (process.stdin.isTTY) this.#readLines();
    try {
      const code = await Promise.race(ways);
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
      return code;
    } finally {
      this.#lines?.close();
      await this.#session.close();
    }
  }

  get #isIdle(): boolean {
    const { isCaughtUp, view } = this.#session;
    return isCaughtUp && view.turn.kind === 'idle' && view.queue.length === 0;
  }

  async #prompt(text: string): Promise<PromptEnd> {
    const { done, accepted } = this.#session.prompt(text);
    accepted.catch(() => undefined);
    return done;
  }

  /** Lines of the person: an answer while a question waits, `/stop`, else a prompt. */
  #readLines(): void {
    this.#lines = createInterface({ input: process.stdin });
    this.#screen.notice('A line is a prompt; /stop cancels the turn; Ctrl-C leaves it running.');
    this.#lines.on('line', (line) => {
      const text = line.trim();
      if (this.#asked !== undefined) void this.#answer(text);
      else if (text === '/stop') void this.#report(this.#session.cancel());
      else if (text !== '') void this.#report(this.#prompt(text));
    });
  }

  /** Shows the oldest question that waits, once. @param last what was shown last. */
  #ask(last?: RemoteSessionEvent): void {
    const [waiting] = this.#session.permissions;
    if (waiting === undefined || this.#session.role === 'observer') {
      this.#asked = undefined;
      return;
    }
    if (waiting.permissionId === this.#asked?.permissionId) return;
    const { permissionId, options, action } = waiting;
    // What stands above the answers is what they are about, also when it was asked long ago.
    if (!isRequest(last, permissionId)) {
      this.#screen.renderer.endLine();
      process.stdout.write(permissionText(action, this.#screen.style));
    }
    this.#asked = { permissionId, options };
    const choices = permissionKeys(options).map(
      ({ key, option }) => `[${key}] ${toExactLine(option.name)}`,
    );
    this.#screen.notice(`${choices.join('  ')}  [no] deny`);
  }

  async #answer(text: string): Promise<void> {
    const asked = this.#asked;
    if (asked === undefined) return;
    const chosen = permissionKeys(asked.options).find(({ key }) => key === text);
    if (chosen === undefined && text !== 'no') {
      this.#screen.notice('That is none of the answers.');
      return;
    }
    await this.#report(this.#session.answerPermission(asked.permissionId, chosen?.option.optionId));
  }

  async #report(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#screen.notice(error instanceof Error ? error.message : String(error));
    }
  }
}

function isRequest(shown: RemoteSessionEvent | undefined, permissionId: string): boolean {
  if (shown?.type !== 'event' || shown.event.type !== 'permission.requested') return false;
  return shown.event.data.permissionId === permissionId;
}

function toExitCode(end: PromptEnd): number {
  return end.kind === 'dropped' ? ExitCode.Cancelled : exitCodeOfTurn(end);
}
