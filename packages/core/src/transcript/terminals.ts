import { refOf } from '../session/content-ref.ts';
import type { EventOf } from '../session/event.ts';
import type { Draft } from './draft.ts';

/** The host runs a command for the agent. */
export function foldTerminalStarted(draft: Draft, { data }: EventOf<'terminal.started'>): void {
  const { terminalId, argv, cwd } = data;
  draft.terminals = new Map(draft.terminals).set(terminalId, { argv, cwd });
}

/** The command has ended; what it wrote last is kept for those who look later. */
export function foldTerminalExited(draft: Draft, { data }: EventOf<'terminal.exited'>): void {
  const { terminalId, output, ...exit } = data;
  const known = draft.terminals.get(terminalId) ?? { argv: [], cwd: '' };
  const outputRef = refOf(output);
  const shown = outputRef === undefined ? { output } : { output: '', outputRef };
  draft.terminals = new Map(draft.terminals).set(terminalId, {
    ...known,
    exit: { ...exit, ...shown },
  });
}
