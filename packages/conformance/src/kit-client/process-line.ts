import { Child, describeExit, type Program } from '../process/child.ts';
import { timed, TIMED_OUT } from '../process/timed.ts';
import type { AgentLine, AgentLineEvents } from './agent-line.ts';

/** The pipes of an agent that the kit has started. */
export class ProcessLine implements AgentLine {
  readonly child: Child;
  readonly ended: Promise<void>;
  readonly name = 'the agent';
  readonly wire = undefined;

  constructor(program: Program, { onBytes, onEnd }: AgentLineEvents) {
    this.child = new Child(program);
    this.ended = this.child.exited.then(() => undefined);
    this.child.output.on('data', onBytes);
    this.child.output.on('end', onEnd);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.child.write(bytes);
  }

  async end(timeoutMs: number): Promise<boolean> {
    this.child.endInput();
    return (await timed(this.child.exited, timeoutMs)) !== TIMED_OUT;
  }

  async stop(): Promise<void> {
    this.child.endInput();
    await this.child.kill();
  }

  condition(): string {
    const { exit, stderr } = this.child;
    const state = exit === undefined ? 'is still running' : describeExit(exit);
    const tail = stderr.trim().split('\n').slice(-3).join(' | ');
    return `the process ${state}${tail === '' ? '' : `; stderr: ${tail}`}`;
  }
}
