import {
  ErrorCode,
  RpcError,
  type CreateTerminalRequest,
  type ReadTextFileRequest,
  type WriteTextFileRequest,
} from '@signalbox/acp';
import type { HostFact, PolicyLevel, TurnId } from '@signalbox/core';
import { Terminals } from '../terminal/terminals.ts';
import { guard, isRefusal } from '../workspace/guard.ts';
import { toFileProblem } from '../workspace/problem.ts';
import { resolveRoots, type Roots } from '../workspace/roots.ts';
import { toFileRpcError } from '../workspace/to-rpc-error.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { ServiceRequest } from './client-services.ts';
import { ELICITATION_CANCELLED } from './elicitations.ts';

/** What the host's own services of one session need to know. */
export interface LocalServicesParts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The agent's environment, which its commands get too. */
  readonly environment: Readonly<Record<string, string>>;
  readonly missingFileReadsEmpty: boolean;
  policyLevel(): PolicyLevel;
  /** The turn under way. */
  turnId(): TurnId | undefined;
  record(fact: HostFact): void;
}

/** The session's folders, resolved once, and what works in them. */
interface Opened {
  readonly roots: Roots;
  readonly workspace: Workspace;
  readonly terminals: Terminals;
}

/** Files and terminals of one session as the host itself serves them. */
export class LocalServices {
  readonly #parts: LocalServicesParts;
  #opened: Promise<Opened> | undefined;

  constructor(parts: LocalServicesParts) {
    this.#parts = parts;
  }

  /** Answers a request for files or terminals. @throws RpcError to answer with. */
  async handle({ method, params, context }: ServiceRequest): Promise<unknown> {
    const { workspace, terminals } = await this.#use();
    const byId = params as { terminalId: string };
    switch (method) {
      case 'fs/read_text_file':
        return workspace.readTextFile(params as ReadTextFileRequest);
      case 'fs/write_text_file':
        return workspace.writeTextFile(params as WriteTextFileRequest);
      case 'terminal/create':
        return terminals.create(params as CreateTerminalRequest, { turnId: this.#parts.turnId() });
      case 'terminal/output':
        return terminals.output(byId);
      case 'terminal/wait_for_exit':
        return terminals.waitForExit(byId, context.signal);
      case 'terminal/kill':
        return terminals.kill(byId);
      case 'terminal/release':
        return terminals.release(byId);
      case 'elicitation/create':
        // It was offered, but the client that could ask is not attached any more.
        return ELICITATION_CANCELLED;
    }
  }

  /**
   * Refuses a path outside of the session's roots, whoever serves the file. The file need not exist: a
   * client may know it as a buffer that was never saved.
   *
   * @throws RpcError to answer with.
   */
  async assertInside(path: string): Promise<void> {
    const { roots } = await this.#use();
    const guarded = await guard(roots, path, 'write');
    if (isRefusal(guarded)) throw toFileRpcError(toFileProblem(guarded));
  }

  /**
   * Looks at a file that a client reads or writes in the host's place.
   *
   * @returns remembers what was there as seen by the session.
   */
  async lookAt(path: string, kind: 'read' | 'write'): Promise<() => void> {
    const { workspace } = await this.#use();
    return workspace.lookAt(path, kind);
  }

  async endTurn(turnId: TurnId): Promise<void> {
    if (this.#opened !== undefined) await (await this.#opened).terminals.endTurn(turnId);
  }

  async endAll(): Promise<void> {
    if (this.#opened !== undefined) await (await this.#opened).terminals.endAll();
  }

  async close(): Promise<void> {
    if (this.#opened !== undefined) await (await this.#opened).terminals.close();
  }

  /** Most sessions of most agents never ask for any of this. */
  #use(): Promise<Opened> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<Opened> {
    const { sessionId, cwd, additionalDirectories, environment } = this.#parts;
    const record = (fact: HostFact): void => this.#parts.record(fact);
    const roots = await resolveRoots(cwd, additionalDirectories);
    const workspace = new Workspace(roots, {
      missingFileReadsEmpty: this.#parts.missingFileReadsEmpty,
      authorise: ({ kind }) => {
        if (kind === 'write') this.#assertAllowed('Writing files');
      },
      onAccess: (access) => record({ type: 'file.accessed', data: access }),
    });
    const terminals = new Terminals({
      sessionId,
      roots,
      environment,
      authorise: () => this.#assertAllowed('Running commands'),
      onStarted: ({ terminalId, argv, isShellLine, cwd: where, env }) => {
        const data = { terminalId, argv, isShellLine, cwd: where, env };
        record({ type: 'terminal.started', data });
      },
      onExited: ({ terminalId, exitCode, signal, outputBytes, truncated }) => {
        const output = terminals.snapshot(terminalId)?.output ?? '';
        const data = { terminalId, exitCode, signal, outputBytes, output, truncated };
        record({ type: 'terminal.exited', data });
      },
    });
    return { roots, workspace, terminals };
  }

  /** Where everything is to be denied, the host denies too what an agent does without asking. */
  #assertAllowed(what: string): void {
    if (this.#parts.policyLevel() !== 'deny') return;
    throw new RpcError(ErrorCode.InternalError, `${what} is denied by policy`, {
      reason: 'denied',
    });
  }
}
