import { once } from 'node:events';
import type { PermissionOption } from '@signalbox/acp';
import { decodeEvent, type EventOf, type PermissionId, type PolicyLevel } from '@signalbox/core';
import { isHostError, type Session } from '@signalbox/host';
import { choicesText } from '../render/choices-text.ts';
import { chooseStyle } from '../render/style.ts';
import { TextRenderer } from '../render/text-renderer.ts';
import { Keys } from '../terminal/keys.ts';
import { permissionKeys } from '../terminal/permission-keys.ts';
import { Follower } from './follow.ts';
import { interruptByKey } from './interrupts.ts';
import type { RunOutput } from './run-output.ts';
import { tellSlowStart } from './slow-start.ts';
import { denyUnattended } from './unattended.ts';

/** What the text output shows at the end. */
export interface TextOutputOptions {
  readonly durationShown: boolean;
}

/** Text for people: streamed as it comes, permission questions asked where there is a terminal. */
export function createTextOutput(
  session: Session,
  level: PolicyLevel,
  options: TextOutputOptions,
): RunOutput {
  return new TextOutput(session, level, options);
}

class TextOutput implements RunOutput {
  readonly #session: Session;
  readonly #level: PolicyLevel;
  readonly #options: TextOutputOptions;
  readonly #style = chooseStyle(process.stdout);
  readonly #renderer: TextRenderer;
  readonly #follower: Follower;
  readonly #keys: Keys | undefined;

  constructor(session: Session, level: PolicyLevel, options: TextOutputOptions) {
    this.#session = session;
    this.#level = level;
    this.#options = options;
    this.#renderer = new TextRenderer((text) => process.stdout.write(text), this.#style, {
      showPrompts: false,
    });
    this.#follower = new Follower(session);
    const canAsk = process.stdin.isTTY && process.stdout.isTTY;
    this.#keys = canAsk ? new Keys(process.stdin, interruptByKey) : undefined;
    if (!canAsk && level === 'ask') {
      this.notice('Input is no terminal, so permission requests are denied; --yes allows them.');
    }
  }

  async show(afterSeq: number, signal: AbortSignal): Promise<void> {
    const started = tellSlowStart(this.#session, (text) => this.notice(text));
    await this.#follower.follow(afterSeq, signal, async (event, { seq }) => {
      if (event.type === 'agent.started') started();
      this.#renderer.render(event);
      if (event.type === 'permission.requested' && event.data.deadline !== undefined) {
        await this.#ask(event, seq, signal);
      }
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    });
    started();
  }

  whenShown(seq: number): Promise<void> {
    return this.#follower.whenReached(seq);
  }

  notice(text: string): void {
    this.#renderer.endLine();
    process.stderr.write(`${this.#style.dim(text)}\n`);
  }

  finish(report: { sessionId: string; durationMs: number }): void {
    this.#renderer.endLine();
    if (!this.#options.durationShown) return;
    const seconds = (report.durationMs / 1000).toFixed(1);
    process.stderr.write(
      `${this.#style.dim(`${seconds} s, session ${report.sessionId} (signalbox log ${report.sessionId})`)}\n`,
    );
  }

  /**
   * Asks, and shows nothing more meanwhile: the action stands right above its answers, and nothing that an
   * agent says below them can pass for it.
   */
  async #ask(
    event: EventOf<'permission.requested'>,
    seq: number,
    shown: AbortSignal,
  ): Promise<void> {
    const { permissionId, options } = event.data;
    if (this.#keys === undefined) {
      if (this.#level !== 'deny') denyUnattended(this.#session, permissionId);
      return;
    }
    if (!this.#session.state.permissions.has(permissionId)) return;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, shown]);
    const offered = options.value as PermissionOption[];
    const end = (): void => over.abort();
    await Promise.all([
      this.#answer(this.#keys, offered, permissionId, signal).finally(end),
      this.#whenResolved(permissionId, seq, signal).finally(end),
    ]);
  }

  /** Resolves when the request is resolved, by whomever, while what is shown stands still. */
  async #whenResolved(
    permissionId: PermissionId,
    afterSeq: number,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const entries of this.#session.follow(afterSeq, signal)) {
      const isResolved = entries.some(({ body }) => {
        const event = decodeEvent(body);
        return event.type === 'permission.resolved' && event.data.permissionId === permissionId;
      });
      if (isResolved) return;
    }
  }

  async #answer(
    keys: Keys,
    options: readonly PermissionOption[],
    permissionId: PermissionId,
    signal: AbortSignal,
  ): Promise<void> {
    const offered = permissionKeys(options);
    this.#renderer.endLine();
    process.stdout.write(choicesText(options, 'Esc', this.#style));
    const answer = await keys.read<{ optionId?: string }>((key) => {
      if (key === '\u001b') return {};
      const chosen = offered.find((candidate) => candidate.key === key);
      return chosen && { optionId: chosen.option.optionId };
    }, signal);
    if (answer === undefined) return;
    try {
      const by = { kind: 'client', name: 'you' } as const;
      await this.#session.answerPermission(permissionId, answer.optionId, by);
    } catch (error) {
      // Somebody or something else has decided it meanwhile, which the log has shown.
      if (!isHostError(error, 'permission_not_answerable')) throw error;
    }
  }
}
