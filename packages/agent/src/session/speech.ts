import type { SpokenEvent } from '../loop/take-answer.ts';
import type { ClientLink } from './client-link.ts';

/**
 * Sends what the model says. All chunks of one message share an id; a new answer, and a change between
 * thinking and speaking, begins a new message.
 */
export class Speech {
  readonly #client: ClientLink;
  #messageCount = 0;
  #kind: SpokenEvent['kind'] | undefined;
  #answer = -1;

  constructor(client: ClientLink) {
    this.#client = client;
  }

  /** A turn begins, whose answers are counted from the start. */
  beginTurn(): void {
    this.#kind = undefined;
  }

  say({ kind, text, answer }: SpokenEvent): void | Promise<void> {
    if (this.#kind !== kind || this.#answer !== answer) this.#messageCount += 1;
    this.#kind = kind;
    this.#answer = answer;
    return this.#client.update({
      sessionUpdate: kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk',
      messageId: `message-${this.#messageCount}`,
      content: { type: 'text', text },
    });
  }
}
