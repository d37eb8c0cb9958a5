import { RawJson, type ToolCallUpdate } from '@signalbox/acp';
import type { AgentEvents, AgentLink, RunningAgent } from '@signalbox/host';
import { OPTIONS, type Step } from './story.ts';

const EXIT = { code: 0, signal: null, stderrTail: '', noiseCount: 0 };

/** An agent without a process, which tells its story in each turn, every step when it is told to. */
export class StoryAgent implements AgentLink {
  readonly #story: readonly Step[];
  #letGo: (() => void) | undefined;
  #onNews: (() => void) | undefined;
  #isOver = false;

  constructor(story: readonly Step[]) {
    this.#story = story;
  }

  /** Resolves when the next step waits for {@link step}, or the story is told. */
  async next(): Promise<'waiting' | 'over'> {
    while (this.#letGo === undefined && !this.#isOver) {
      await new Promise<void>((resolve) => (this.#onNews = resolve));
    }
    return this.#isOver ? 'over' : 'waiting';
  }

  /** Lets the next step happen. */
  step(): void {
    const letGo = this.#letGo;
    this.#letGo = undefined;
    letGo?.();
  }

  start(events: AgentEvents): Promise<RunningAgent> {
    return Promise.resolve({
      pid: process.pid,
      startTime: null,
      agentSessionId: 'inner',
      restoredBy: 'new',
      initialized: new RawJson('{"protocolVersion":1}'),
      session: new RawJson('{"sessionId":"inner"}'),
      settingUpdates: [],
      request: () => Promise.resolve(new RawJson('{}')),
      notify: () => undefined,
      prompt: async () => {
        this.#isOver = false;
        for (const step of this.#story) await this.#do(step, events);
        await this.#turn();
        this.#isOver = true;
        this.#onNews?.();
        return { kind: 'result', stopReason: 'end_turn' };
      },
      cancel: () => undefined,
      end: () => {
        events.onExit(EXIT);
        return Promise.resolve();
      },
    });
  }

  async #do(step: Step, events: AgentEvents): Promise<void> {
    await this.#turn();
    if ('update' in step) return events.onUpdate(new RawJson(step.update), undefined);
    if ('pause' in step) return;
    const { toolCall } = step.ask;
    const outcome = await events.onPermission({
      toolCall: toolCall as ToolCallUpdate,
      toolCallRaw: toRaw(toolCall),
      options: OPTIONS,
      optionsRaw: toRaw(OPTIONS),
    });
    await this.#turn();
    const content = { type: 'text', text: JSON.stringify(outcome) };
    events.onUpdate(toRaw({ sessionUpdate: 'agent_message_chunk', content }), undefined);
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#letGo = resolve;
      this.#onNews?.();
    });
  }
}

function toRaw(value: unknown): RawJson {
  return new RawJson(JSON.stringify(value));
}
