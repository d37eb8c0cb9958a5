import { createView, type View } from '../passive/view.ts';
import type { WireMessage } from '../passive/wire-message.ts';
import { Child, describeExit, type Program } from '../process/child.ts';
import { timed, TIMED_OUT } from '../process/timed.ts';
import { ReplayedAgent } from './replay-agent-side.ts';
import { answerDifference, countDifferences } from './replay-compare.ts';
import type { ReplayReport } from './replay-report.ts';
import type { Trace } from './trace-entry.ts';

/** How long the agent may take to end when its input has ended, in ms. */
const EXIT_MS = 5000;

/** How the client's side of a trace is played. */
export interface ReplayToAgentOptions {
  readonly trace: Trace;
  readonly program: Program;
  /** The longest wait for anything that the agent did before a line was sent. */
  readonly timeoutMs: number;
  /** Multiple of the recorded speed; absent: each line goes as soon as what it needs has come. */
  readonly speed?: number;
}

/**
 * Plays the client's side of a trace to an agent: each line is sent when the agent has done what it had
 * done before that line. Ids that the agent makes up are those of now.
 */
export async function replayToAgent(options: ReplayToAgentOptions): Promise<ReplayReport> {
  const view = createView(options.trace);
  const child = new Child(options.program);
  const agent = new ReplayedAgent(child, view);
  const lines = view.messages.filter(({ sender }) => sender === 'client');
  const differences: string[] = [];
  const startedAt = performance.now();
  let sent = 0;
  try {
    for (const line of lines) {
      if (options.speed !== undefined) await pace(line.t / options.speed, startedAt);
      differences.push(...(await agent.whenReady(line, options.timeoutMs)));
      if (agent.hasEnded) break;
      if (await agent.send(line)) sent++;
    }
    await agent.whenAnswered(options.timeoutMs);
    if (agent.hasEnded) {
      differences.push(`the agent ${describeExit(await child.exited)} before the end of the trace`);
    }
    child.endInput();
    if ((await timed(child.exited, EXIT_MS)) === TIMED_OUT) {
      differences.push(`the agent did not end within ${EXIT_MS} ms of the end of its input`);
    }
  } finally {
    await child.kill();
  }
  differences.push(...compare(view, agent));
  return { sent, recorded: lines.length, differences };
}

function compare(view: View, agent: ReplayedAgent): readonly string[] {
  const answers = view.calls
    .filter(({ caller }) => caller === 'client')
    .map((call) => answerDifference(call, agent.responseTo(call)))
    .filter((difference) => difference !== undefined);
  const recorded = view.calls.filter(({ caller }) => caller === 'agent');
  const live: readonly WireMessage[] = agent.requests;
  return [
    ...answers,
    ...countDifferences(
      recorded.map(({ method }) => method),
      live.map(({ method }) => method),
    ),
  ];
}

async function pace(atMs: number, startedAt: number): Promise<void> {
  const waitMs = startedAt + atMs - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
}
