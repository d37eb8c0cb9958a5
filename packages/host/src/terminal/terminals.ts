import {
  ErrorCode,
  RpcError,
  type CreateTerminalResponse,
  type KillTerminalResponse,
  type ReleaseTerminalResponse,
  type TerminalOutputResponse,
  type WaitForTerminalExitResponse,
} from '@signalbox/acp';
import { toFileRpcError } from '../workspace/to-rpc-error.ts';
import {
  prepareTerminal,
  type PreparedTerminal,
  type TerminalParams,
  type TerminalPlace,
} from './prepare-terminal.ts';
import { Snapshots, toSnapshot, type TerminalSnapshot } from './snapshots.ts';
import { sweepTerminals } from './sweep-terminals.ts';
import type { TerminalExited, TerminalStarted } from './terminal-facts.ts';
import { Terminal, type TerminalLimits } from './terminal.ts';

/** How many terminals a session may have at a time. Released ones do not count. */
export const TERMINALS_MAX = 32;

/** What the terminals of a session need to know. What is told to `on…` must not throw. */
export interface TerminalsOptions extends TerminalPlace {
  /** Default {@link TERMINALS_MAX}. */
  readonly terminalsMax?: number;
  readonly limits?: TerminalLimits;
  /** Judges a command with the very arguments that will run, before it does. Throws to refuse. */
  readonly authorise?: (command: TerminalStarted) => void | Promise<void>;
  readonly onStarted?: (command: TerminalStarted) => void;
  /** Told once for each started command, also for released ones. */
  readonly onExited?: (exit: TerminalExited) => void;
  /** Told, often, that a terminal has more output; {@link Terminals.snapshot} shows it. */
  readonly onOutput?: (terminalId: string) => void;
}

type ById = { readonly terminalId: string };

/** A terminal that the agent may ask about. */
interface Entry {
  readonly terminal: Terminal;
  readonly turnId: string | undefined;
}

/** A terminal that is being made. */
interface Birth {
  readonly turnId: string | undefined;
  isUnwanted: boolean;
  /** Settles when it is registered, or gone again. Undefined while nothing was started. */
  started?: Promise<void>;
}

/** The terminals of one session. An id means nothing in another session (R-TRM-16). */
export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #live = new Map<string, Entry>();
  readonly #births = new Set<Birth>();
  readonly #endings = new Set<Promise<void>>();
  readonly #snapshots = new Snapshots();
  #isClosed = false;

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  /** How many terminals count against the limit. */
  get size(): number {
    return this.#live.size + this.#births.size;
  }

  /**
   * Answers `terminal/create`: starts a command and answers at once.
   *
   * @param context the turn that asks, for {@link endTurn}.
   * @throws RpcError -32602 for params that cannot be used; -32002 for a missing working directory;
   * -32603 otherwise, with `data.reason` `spawn_failed` or `too_many_terminals`; -32800 when the turn
   * or the session ended meanwhile.
   */
  async create(
    params: TerminalParams,
    context: { readonly turnId?: string | undefined } = {},
  ): Promise<CreateTerminalResponse> {
    this.#assertRoom();
    const birth: Birth = { turnId: context.turnId, isUnwanted: false };
    this.#births.add(birth);
    try {
      return { terminalId: await this.#create(params, birth) };
    } catch (error) {
      throw toFileRpcError(error);
    } finally {
      this.#births.delete(birth);
    }
  }

  /** Answers `terminal/output`: everything kept so far. @throws RpcError -32002 for an unknown id. */
  output({ terminalId }: ById): TerminalOutputResponse {
    return this.#get(terminalId).output();
  }

  /**
   * Answers `terminal/wait_for_exit`, however often it is asked, also when the terminal is killed or
   * released meanwhile.
   *
   * @param signal of the request; when it is aborted, the wait ends and the command goes on.
   * @throws RpcError -32002 for an unknown id, -32800 when aborted.
   */
  async waitForExit(
    { terminalId }: ById,
    signal?: AbortSignal,
  ): Promise<WaitForTerminalExitResponse> {
    const { exited } = this.#get(terminalId);
    const exit = await (signal === undefined ? exited : untilAborted(exited, signal));
    return { ...exit };
  }

  /** Answers `terminal/kill` when the command has ended. @throws RpcError -32002 for an unknown id. */
  async kill({ terminalId }: ById): Promise<KillTerminalResponse> {
    await this.#get(terminalId).kill();
    return {};
  }

  /**
   * Answers `terminal/release` when everything that the terminal started has ended. From the call on the
   * id is unknown; only {@link snapshot} still knows it. @throws RpcError -32002 for an unknown id.
   */
  async release({ terminalId }: ById): Promise<ReleaseTerminalResponse> {
    await this.#release([this.#get(terminalId)]);
    return {};
  }

  /** What to show where the terminal is embedded, also after its release. */
  snapshot(terminalId: string): TerminalSnapshot | undefined {
    const entry = this.#live.get(terminalId);
    return entry === undefined ? this.#snapshots.get(terminalId) : toSnapshot(entry.terminal);
  }

  /** Kills what a cancelled turn has started. The ids stay valid, for the agent to read and release. */
  async endTurn(turnId: string): Promise<void> {
    const starting = this.#unwant((birth) => birth.turnId === turnId);
    const entries = [...this.#live.values()].filter((entry) => entry.turnId === turnId);
    await Promise.all([starting, end(entries.map(({ terminal }) => terminal))]);
  }

  /** Kills and releases everything, as when the agent has gone. Resolves when nothing is left. */
  async endAll(): Promise<void> {
    const starting = this.#unwant(() => true);
    const terminals = [...this.#live.values()].map(({ terminal }) => terminal);
    // What the agent released itself may still be ending.
    await Promise.all([starting, this.#release(terminals)]);
    await Promise.all([...this.#endings]);
  }

  /** Like {@link endAll}, for good: nothing can be started any more. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.endAll();
  }

  async #create(params: TerminalParams, birth: Birth): Promise<string> {
    const prepared = await prepareTerminal(params, birth.turnId, this.#options);
    await this.#options.authorise?.(prepared.facts);
    assertWanted(birth);
    birth.started = this.#start(prepared, birth);
    await birth.started;
    return prepared.start.id;
  }

  async #start({ facts, start }: PreparedTerminal, birth: Birth): Promise<void> {
    const { limits, onOutput } = this.#options;
    const terminal = await Terminal.start({
      ...start,
      limits,
      onOutput: onOutput && (() => onOutput(start.id)),
    });
    this.#live.set(terminal.id, { terminal, turnId: birth.turnId });
    this.#options.onStarted?.(facts);
    void this.#tellExit(terminal, birth.turnId);
    if (birth.isUnwanted) await this.#release([terminal]);
    assertWanted(birth);
  }

  async #tellExit(terminal: Terminal, turnId: string | undefined): Promise<void> {
    const exit = await terminal.exited;
    const { outputBytes } = terminal;
    const { truncated } = terminal.output();
    this.#options.onExited?.({ ...exit, terminalId: terminal.id, turnId, outputBytes, truncated });
  }

  /** Marks what is being made, and resolves when none of it can appear any more. */
  async #unwant(isMeant: (birth: Birth) => boolean): Promise<void> {
    const meant = [...this.#births].filter(isMeant);
    for (const birth of meant) birth.isUnwanted = true;
    await Promise.allSettled(meant.flatMap(({ started }) => started ?? []));
  }

  async #release(terminals: readonly Terminal[]): Promise<void> {
    for (const terminal of terminals) {
      this.#live.delete(terminal.id);
      this.#snapshots.keep(terminal);
    }
    const ending = end(terminals).then(() => {
      for (const terminal of terminals) {
        this.#snapshots.keep(terminal);
        terminal.dispose();
      }
    });
    this.#endings.add(ending);
    await ending.finally(() => this.#endings.delete(ending));
  }

  #get(terminalId: string): Terminal {
    const entry = this.#live.get(terminalId);
    if (entry !== undefined) return entry.terminal;
    const message = `There is no terminal ${terminalId} in this session, or it was released`;
    throw new RpcError(ErrorCode.ResourceNotFound, message, { terminalId });
  }

  #assertRoom(): void {
    const { terminalsMax = TERMINALS_MAX } = this.#options;
    if (this.#isClosed) throw new RpcError(ErrorCode.InternalError, 'The session has ended');
    if (this.size < terminalsMax) return;
    const message = `This session has ${terminalsMax} terminals already; release one first`;
    const data = { reason: 'too_many_terminals', terminalsMax };
    throw new RpcError(ErrorCode.InternalError, message, data);
  }
}

/** Ends several at once, looking through all processes only once for what left their groups. */
async function end(terminals: readonly Terminal[]): Promise<void> {
  if (terminals.length === 0) return;
  await Promise.all(terminals.map((terminal) => terminal.stopGroup()));
  await sweepTerminals(terminals.map(({ id }) => id));
  await Promise.all(terminals.map((terminal) => terminal.whenKilled()));
}

function assertWanted({ isUnwanted }: Birth): void {
  if (!isUnwanted) return;
  const message = 'The turn or the session ended before the command could run';
  throw new RpcError(ErrorCode.RequestCancelled, message);
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(new RpcError(ErrorCode.RequestCancelled, 'The request was cancelled'));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
