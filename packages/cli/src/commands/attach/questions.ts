import type { RemoteSession } from '@signalbox/client';
import type { PermissionEntry } from '@signalbox/core';
import { choicesText } from '../../render/choices-text.ts';
import { permissionText } from '../../render/permission-text.ts';
import { UNREAD_MS } from '../../terminal/keys.ts';
import { permissionKeys } from '../../terminal/permission-keys.ts';
import type { Screen } from './screen.ts';

/** The line that says no without an option of the agent's. */
const DENY = 'no';

/** A question that stands, and from when on a line can be its answer. */
interface Standing {
  readonly request: PermissionEntry;
  readonly readableAt: number;
}

/**
 * Puts the permission requests of a session, one after the other, and takes lines as their answers. Who shows events
 * waits for {@link Questions.ask}: nothing that an agent says below a question can pass for it.
 */
export class Questions {
  readonly #session: RemoteSession;
  readonly #screen: Screen;
  readonly #over: AbortSignal;
  #standing: Standing | undefined;

  /** @param over aborts when nothing is asked any more. */
  constructor(session: RemoteSession, screen: Screen, over: AbortSignal) {
    this.#session = session;
    this.#screen = screen;
    this.#over = over;
  }

  /** Whether the next line is an answer. */
  get isStanding(): boolean {
    return this.#standing !== undefined;
  }

  /**
   * Asks what waits, the oldest first, and resolves when nothing does that was shown so far.
   *
   * @param shownSeq the last event that was shown. What is asked stands right below it if it is the request.
   */
  async ask(shownSeq: number): Promise<void> {
    let isBelow = true;
    for (;;) {
      const request = this.#session.permissions.find(({ firstSeq }) => firstSeq <= shownSeq);
      if (request === undefined || this.#over.aborted || this.#session.role === 'observer') return;
      // What stands above the answers is what they are about, also when it was asked long ago.
      if (!isBelow || request.firstSeq !== shownSeq) {
        this.#screen.print(permissionText(request.action, this.#screen.style));
      }
      isBelow = false;
      await this.#put(request);
    }
  }

  /** Takes a line as the answer to what stands. @throws RpcError when it was decided meanwhile. */
  async answer(line: string): Promise<void> {
    if (this.#standing === undefined) return;
    const { request, readableAt } = this.#standing;
    if (performance.now() < readableAt) {
      // It was written for what stood there before.
      this.#screen.notice('That came before the question could be read; answer it now.');
      return;
    }
    const chosen = permissionKeys(request.options).find(({ key }) => key === line);
    if (chosen === undefined && line !== DENY) {
      this.#screen.notice('That is none of the answers.');
      return;
    }
    await this.#session.answerPermission(request.permissionId, chosen?.option.optionId);
  }

  async #put(request: PermissionEntry): Promise<void> {
    this.#screen.print(choicesText(request.options, DENY, this.#screen.style));
    this.#standing = { request, readableAt: performance.now() + UNREAD_MS };
    await this.#whenResolved(request);
    this.#standing = undefined;
  }

  /** Resolves when the request is resolved, by whomever, or nothing is asked any more. */
  async #whenResolved({ permissionId }: PermissionEntry): Promise<void> {
    const isOver = (): boolean =>
      this.#over.aborted ||
      this.#session.isOver ||
      !this.#session.permissions.some((waiting) => waiting.permissionId === permissionId);
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isOver()) return;
        stop();
        this.#over.removeEventListener('abort', look);
        resolve();
      };
      const stop = this.#session.subscribe(look);
      this.#over.addEventListener('abort', look);
      look();
    });
  }
}
