import { serveAgent } from '@signalbox/agent';

/** Signals that end the agent in order: its turns are cancelled and what it started is ended. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** `signalbox agent`: the built-in agent, as an ordinary ACP agent on stdin and stdout. */
export async function runAgent(): Promise<void> {
  const ending = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => ending.abort());
  await serveAgent({
    input: process.stdin,
    output: process.stdout,
    signal: ending.signal,
    log: (line) => process.stderr.write(`${line}\n`),
  });
}
