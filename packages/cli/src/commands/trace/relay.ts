import { spawn } from 'node:child_process';
import type { StreamRecorder } from '@signalbox/conformance';
import { endLike, type Ending } from './end-like.ts';
import { passSignals } from './pass-signals.ts';
import { Flow } from './flow.ts';

/** How long output is awaited that processes of an agent which has ended still hold open. */
const OUTPUT_AFTER_EXIT_MS = 2000;

/**
 * Runs an agent with this process's environment, folder and stderr, and passes bytes on in both
 * directions as they come. This process ends as the agent does.
 */
export async function relay(command: readonly string[], recorder: StreamRecorder): Promise<void> {
  // Commands end when nobody reads their output, but here it is for the agent to decide that.
  process.stdout.removeAllListeners('error');
  const [file = '', ...args] = command;
  const agent = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<Ending>((resolve) => {
    agent.on('error', (error) => {
      if (agent.pid === undefined) resolve({ code: null, signal: null, error });
    });
    agent.on('exit', (code, signal) => resolve({ code, signal }));
  });
  const stopPassing = passSignals(agent);
  const input = new Flow(process.stdin, agent.stdin, (bytes) => recorder.push('c2a', bytes));
  const output = new Flow(agent.stdout, process.stdout, (bytes) => recorder.push('a2c', bytes));
  void input.done.then(() => {
    recorder.end('c2a');
    agent.stdin.end();
  });
  const ending = await ended;
  await output.whenQuiet(OUTPUT_AFTER_EXIT_MS);
  // What a side had begun when the connection ended is a part of what was sent.
  recorder.end('a2c');
  recorder.end('c2a');
  stopPassing();
  endLike(ending);
}
