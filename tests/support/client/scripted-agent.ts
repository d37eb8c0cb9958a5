import { RpcError } from '@signalbox/acp';
import type { SessionEvent, TurnEnd } from '@signalbox/core';
import { END_TURN, LogWriter } from '../transcript/log.ts';
import type { LogServer } from './log-server.ts';
import { ScriptedLog } from './scripted-log.ts';
import { settled } from './settled.ts';

/** What a turn does: each step writes to the log; `asked` waits for the answer to a permission request. */
export type TurnScript = (
  write: (step: (writer: LogWriter) => unknown) => Promise<void>,
  asked: (permissionId: string) => Promise<string>,
) => Promise<TurnEnd | void>;

/** A session with an agent that works through a script, whoever is connected. */
export class ScriptedAgent {
  readonly log: ScriptedLog;
  /** Prompts that were run, by id. A prompt `P-<turn>` runs as the turn `<turn>`. */
  readonly ran: string[] = [];
  readonly writer = new LogWriter();
  readonly #script: TurnScript;
  readonly #turns = new Map<string, Promise<object>>();
  readonly #waiting = new Map<string, (optionId: string) => void>();

  constructor(server: LogServer, sessionId: string, script: TurnScript) {
    this.#script = script;
    this.log = server.add(new ScriptedLog(sessionId));
    this.writer.agentStarted();
    this.#flush();
    const { answers } = server;
    const others = {
      prompt: answers.get('session/prompt'),
      permission: answers.get('_signalbox/session/answer_permission'),
    };
    answers.set('session/prompt', (params, connection) =>
      params['sessionId'] === sessionId
        ? this.#prompt(params)
        : others.prompt?.(params, connection),
    );
    answers.set('_signalbox/session/answer_permission', (params, connection) =>
      params['sessionId'] === sessionId
        ? this.#answer(params)
        : others.permission?.(params, connection),
    );
  }

  /** Writes to the log. */
  write(step: (writer: LogWriter) => unknown): void {
    step(this.writer);
    this.#flush();
  }

  /** The same prompt never runs twice. */
  #prompt({ _meta }: Readonly<Record<string, unknown>>): Promise<object> {
    const promptId = String((_meta as Record<string, unknown>)['signalbox/promptId']);
    const known = this.#turns.get(promptId);
    if (known !== undefined) return known;
    const turn = this.#run(promptId);
    this.#turns.set(promptId, turn);
    turn.catch(() => undefined);
    return turn;
  }

  async #run(promptId: string): Promise<object> {
    this.ran.push(promptId);
    this.write((writer) => writer.start(promptId.replace(/^P-/, '')));
    const write = async (step: (writer: LogWriter) => unknown): Promise<void> => {
      await settled();
      this.write(step);
    };
    const asked = (permissionId: string): Promise<string> =>
      new Promise((resolve) => this.#waiting.set(permissionId, resolve));
    const end = (await this.#script(write, asked)) ?? END_TURN;
    await write((writer) => writer.end(end));
    await settled();
    if (end.kind === 'stopped') return { stopReason: end.stopReason };
    throw new RpcError(end.code ?? -32603, end.message, { failure: end.failure });
  }

  #answer({ permissionId, optionId }: Readonly<Record<string, unknown>>): object {
    const id = String(permissionId);
    const resolve = this.#waiting.get(id);
    if (resolve === undefined) {
      throw new RpcError(-32602, 'Invalid params: not waiting', { reason: 'not_waiting' });
    }
    this.#waiting.delete(id);
    this.write((writer) => writer.choose(id, String(optionId)));
    resolve(String(optionId));
    return {};
  }

  #flush(): void {
    const fresh: SessionEvent[] = this.writer.events.slice(this.log.events.length);
    this.log.append(...fresh);
  }
}
