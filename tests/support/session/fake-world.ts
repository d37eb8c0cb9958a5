import type { RawJson } from '@signalbox/acp';
import type { Effect, SessionInput } from '@signalbox/core';
import {
  agentExited,
  agentStarted,
  agentStartFailed,
  answered,
  answers,
  asks,
  ALICE,
  BOB,
  cancel,
  deadline,
  graceEnded,
  OPTIONS,
  prompt,
  raw,
  recover,
  settleDeadline,
  terminal,
  terminalExited,
  turnIdle,
  withdraw,
} from './inputs.ts';
import {
  delicateRequest,
  delicateToolCall,
  delicateUnknown,
  DELICATE_VALUES,
} from './raw-texts.ts';
import { SessionRun } from './run.ts';

/** What may happen to a session. `n` chooses among what there is to choose. */
export interface Happening {
  readonly what:
    | 'prompt'
    | 'prompt or refuse'
    | 'cancel'
    | 'cancel some turn'
    | 'agent ready'
    | 'prompt taken back'
    | 'agent does not start'
    | 'agent says'
    | 'agent reports'
    | 'agent asks'
    | 'command starts'
    | 'command ends'
    | 'agent stops'
    | 'agent fails'
    | 'agent answers late'
    | 'agent dies'
    | 'person answers'
    | 'two people answer'
    | 'deadline'
    | 'grace ends'
    | 'turn idle'
    | 'settle deadline'
    | 'host dies';
  readonly n: number;
}

const REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'odd'];

/**
 * A session with an agent and people around it that do anything at any time: the agent may die, be
 * late, ask, answer old turns and ignore a cancel. Only what a host rules out does not happen: an agent
 * that does not run says nothing, and a prompt is answered once.
 */
export class FakeWorld {
  readonly run = new SessionRun();
  #named = 0;
  #isAgentUp = false;
  /** Prompts that the agent has and has not answered. */
  #unanswered: string[] = [];
  readonly #turns: string[] = [];
  readonly #requests: string[] = [];

  /** Lets something happen, if it can. */
  happen({ what, n }: Happening): void {
    const input = this.#toInput(what, n);
    if (input !== undefined) this.#feed(input);
    if (what === 'two people answer' && input !== undefined) {
      this.#feed(answers(pick(this.#requests, n) ?? '', 'no', BOB));
    }
  }

  /** Ends the agent often enough for every queued prompt to have had its turn. */
  rest(): void {
    const isAtRest = (): boolean =>
      this.run.state.turn.kind === 'idle' && this.run.state.queue.length === 0;
    for (let n = 0; !isAtRest() && n < 10; n++) {
      this.happen({ what: 'agent ready', n });
      this.happen({ what: 'agent dies', n });
    }
  }

  #feed(input: SessionInput): void {
    const { events, effects } = this.run.feed(input);
    for (const event of events) {
      if (event.type === 'turn.started') this.#turns.push(String(event.turnId));
    }
    for (const effect of effects) this.#do(effect);
  }

  #do(effect: Effect): void {
    if (effect.kind === 'send_prompt') this.#unanswered.push(effect.turnId);
  }

  #toInput(what: Happening['what'], n: number): SessionInput | undefined {
    switch (what) {
      case 'prompt':
        return prompt(this.#name());
      case 'prompt or refuse':
        return prompt(this.#name(), { whenBusy: 'refuse' });
      case 'cancel':
        return cancel();
      case 'cancel some turn':
        return cancel(pick(this.#turns, n) ?? 'T-none');
      case 'prompt taken back':
        return withdraw(pick(this.run.state.knownPrompts, n)?.promptId ?? 'P-none');
      case 'person answers':
      case 'two people answer':
        return answers(
          pick(this.#requests, n) ?? 'A-none',
          pick(['yes', 'no', 'odd', undefined], n),
          ALICE,
        );
      case 'deadline':
        return deadline(pick(this.#requests, n) ?? 'A-none');
      case 'grace ends':
        return graceEnded(pick(this.#turns, n) ?? 'T-none');
      case 'turn idle':
        return turnIdle(pick(this.#turns, n) ?? 'T-none');
      case 'settle deadline':
        return settleDeadline(n, `T${this.#name()}`);
      case 'host dies':
        this.#agentGone();
        return recover;
      default:
        return this.#agentInput(what, n);
    }
  }

  #agentInput(what: Happening['what'], n: number): SessionInput | undefined {
    const next = this.#name();
    if (what === 'agent ready') {
      if (this.#isAgentUp) return undefined;
      this.#isAgentUp = true;
      return agentStarted(n);
    }
    if (what === 'agent does not start') {
      return this.#isAgentUp ? undefined : agentStartFailed(`T${next}`, n % 2 === 0);
    }
    if (!this.#isAgentUp) return undefined;
    switch (what) {
      case 'agent says':
        return { kind: 'update', at: n, update: delicateUpdate(n) };
      case 'agent reports':
        return { kind: 'update', at: n, update: delicateToolCall(`c${n % 3}`, delicate(n)) };
      case 'agent asks': {
        this.#requests.push(`A${next}`);
        return asks(`A${next}`, OPTIONS, delicateRequest(`c${n % 3}`, delicate(n)));
      }
      case 'command starts':
        return terminal(`c${next}`);
      case 'command ends':
        return terminalExited(pick(this.run.state.runningTerminals, n) ?? 'c-none');
      case 'agent stops':
      case 'agent fails': {
        const turn = this.#unanswered.shift();
        if (turn === undefined) return undefined;
        const error = { code: pick([-32800, -32000, -32603, Infinity], n) };
        return answered(turn, what === 'agent fails' ? error : pick(REASONS, n), `T${next}`);
      }
      case 'agent answers late': {
        const old = this.#turns.filter((turn) => !this.#unanswered.includes(turn));
        return answered(pick(old, n) ?? 'T-none', 'end_turn', `T${next}`);
      }
      case 'agent dies':
        this.#agentGone();
        return agentExited(`T${next}`, n % 2 === 0);
      default:
        return undefined;
    }
  }

  #agentGone(): void {
    this.#isAgentUp = false;
    this.#unanswered = [];
  }

  #name(): number {
    this.#named += 1;
    return this.#named;
  }
}

function delicate(n: number): string {
  return pick(DELICATE_VALUES, n) ?? 'null';
}

function delicateUpdate(n: number): RawJson {
  if (n % 2 === 0) return delicateUnknown(delicate(n));
  const sessionUpdate = pick(['agent_message_chunk', 'agent_thought_chunk', 'plan'], n);
  return raw({ sessionUpdate, content: { type: 'text', text: `w${n} ` }, entries: [] });
}

function pick<T>(from: readonly T[], n: number): T | undefined {
  return from[n % from.length];
}
