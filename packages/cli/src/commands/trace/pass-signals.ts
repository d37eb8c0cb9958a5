import type { ChildProcess } from 'node:child_process';
import { isatty } from 'node:tty';

/** Signals that a client or a user may send to an agent. */
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
/** Signals that a terminal sends to every process in it, the agent included. */
const TERMINAL_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT', 'SIGHUP']);
/** Signals after which an agent is expected to end. */
const ENDING_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGHUP']);
/** How long an agent may take to end after such a signal. */
const END_MS = 15_000;

/** Passes signals on to the agent. @returns a function that ends this. */
export function passSignals(agent: ChildProcess): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const isInTerminal = isatty(0) || isatty(2);
  const onSignal = (signal: NodeJS.Signals): void => {
    if (ENDING_SIGNALS.has(signal)) {
      deadline ??= setTimeout(() => agent.kill('SIGKILL'), END_MS);
    }
    // A second Ctrl-C would mean something else to many programs.
    if (!isInTerminal || !TERMINAL_SIGNALS.has(signal)) agent.kill(signal);
  };
  const passed = SIGNALS.filter((signal) => process.platform !== 'win32' || isOnWindows(signal));
  for (const signal of passed) process.on(signal, onSignal);
  return () => {
    clearTimeout(deadline);
    for (const signal of passed) process.off(signal, onSignal);
  };
}

function isOnWindows(signal: NodeJS.Signals): boolean {
  return signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP';
}
