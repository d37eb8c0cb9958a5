import type { PromptEnd, RemoteSession } from '@signalbox/client';
import { ExitCode, exitCodeOfTurn } from '../../exit-codes.ts';
import { Reached } from '../reached.ts';
import { signalled } from '../signalled.ts';
import { readLines, type Lines } from './lines.ts';
import type { LogReader } from './log-reader.ts';
import { Questions } from './questions.ts';
import type { Screen } from './screen.ts';

/** What the person waits for; without either, for nothing but the end of the session. */
export interface Awaited {
  /** The end of the turn of this prompt. */
  readonly prompt?: string;
  /** That no turn runs. */
  readonly untilIdle?: boolean;
}

/** One person at a terminal, and a session. */
export class Attendance {
  readonly #session: RemoteSession;
  readonly #reader: LogReader;
  readonly #screen: Screen;
  readonly #awaited: Awaited;
  readonly #reached = new Reached();
  readonly #leaving = new AbortController();
  readonly #questions: Questions;
  /** What the log had when the session was attached last; questions before that may be answered already. */
  #presentSeq = 0;
  #isGone = false;
  /** What is being shown or asked; one after the other. */
  #shown: Promise<void> = Promise.resolve();

  constructor(session: RemoteSession, reader: LogReader, screen: Screen, awaited: Awaited) {
    this.#session = session;
    this.#reader = reader;
    this.#screen = screen;
    this.#awaited = awaited;
    this.#questions = new Questions(session, screen, this.#leaving.signal);
  }

  /** @returns the exit code. */
  async run(): Promise<number> {
    const { prompt, untilIdle } = this.#awaited;
    const ways = [this.#show(), this.#whenEnded(), this.#whenLeft()];
    if (prompt !== undefined) ways.push(this.#whenPrompted(prompt));
    if (untilIdle === true) ways.push(this.#whenIdle());
    const lines = process.stdin.isTTY ? this.#readLines() : undefined;
    if (lines !== undefined) ways.push(lines.ended.then(() => this.#leftCode));
    try {
      return await Promise.race(ways);
    } finally {
      this.#isGone = true;
      this.#leaving.abort();
      lines?.close();
      await this.#session.close();
    }
  }

  /** Shows what the log has and what comes, and asks. Never resolves: its end is told to {@link #whenEnded}. */
  async #show(): Promise<never> {
    await this.#reader.read(
      ({ seq, event }) =>
        this.#inTurn(async () => {
          // Whoever has left wants to see no more of it.
          if (this.#isGone) return;
          await this.#screen.show(event);
          this.#reached.reach(seq);
          await this.#ask();
        }),
      (seq) => this.#reached.reach(seq),
    );
    return new Promise<never>(() => undefined);
  }

  async #ask(): Promise<void> {
    const canAnswer = process.stdin.isTTY && this.#session.isCaughtUp;
    if (canAnswer && this.#reached.seq >= this.#presentSeq) {
      await this.#questions.ask(this.#reached.seq);
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#shown = this.#shown.then(work);
    return this.#shown;
  }

  #whenEnded(): Promise<number> {
    return new Promise((resolve, reject) => {
      const onCaughtUp = (): void => {
        this.#presentSeq = this.#session.view.lastSeq;
        this.#inTurn(() => this.#ask()).catch(reject);
      };
      this.#session.subscribe((event) => {
        if (event.type === 'caught_up') onCaughtUp();
        if (event.type !== 'ended') return;
        if (event.reason === 'deleted') {
          this.#screen.notice('The session was deleted.');
          resolve(this.#awaitsEnd ? ExitCode.SessionNotFound : ExitCode.Ok);
        } else {
          reject(event.error ?? new Error('the session cannot be followed any more'));
        }
      });
      if (this.#session.isCaughtUp) onCaughtUp();
    });
  }

  async #whenLeft(): Promise<number> {
    await signalled();
    return this.#leftCode;
  }

  async #whenIdle(): Promise<number> {
    const isIdle = (): boolean => {
      const { isCaughtUp, view } = this.#session;
      return isCaughtUp && view.turn.kind === 'idle' && view.queue.length === 0;
    };
    await new Promise<void>((resolve) => {
      const stop = this.#session.subscribe(() => {
        if (!isIdle()) return;
        stop();
        resolve();
      });
      if (isIdle()) resolve();
    });
    await this.#whenAllShown();
    return ExitCode.Ok;
  }

  async #whenPrompted(text: string): Promise<number> {
    const end = await this.#prompt(text);
    await this.#whenAllShown();
    return end.kind === 'dropped' ? ExitCode.Cancelled : exitCodeOfTurn(end);
  }

  async #prompt(text: string): Promise<PromptEnd> {
    const { done, accepted } = this.#session.prompt(text);
    accepted.catch(() => undefined);
    return done;
  }

  /** What was waited for has happened: what there is is shown, and nothing is asked any more. */
  async #whenAllShown(): Promise<void> {
    this.#leaving.abort();
    await this.#reached.whenReached(this.#session.view.lastSeq);
  }

  /** Lines of the person: an answer while a question stands, `/stop`, else a prompt. */
  #readLines(): Lines {
    this.#screen.notice('A line is a prompt; /stop cancels the turn; Ctrl-C leaves it running.');
    return readLines((line) => {
      if (line === '/stop') void this.#report(this.#session.cancel());
      else if (this.#questions.isStanding) void this.#report(this.#questions.answer(line));
      else if (line !== '') void this.#report(this.#prompt(line));
    });
  }

  async #report(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      // What goes on without this person has not failed.
      if (this.#leaving.signal.aborted) return;
      this.#screen.notice(error instanceof Error ? error.message : String(error));
    }
  }

  get #awaitsEnd(): boolean {
    return this.#awaited.prompt !== undefined || this.#awaited.untilIdle === true;
  }

  /** Whoever goes before the end that was waited for does not know how that was (B151). */
  get #leftCode(): number {
    return this.#awaitsEnd ? ExitCode.Cancelled : ExitCode.Ok;
  }
}
