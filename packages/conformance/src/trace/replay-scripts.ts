import { stringAt } from '../json/json.ts';
import { createView, type Call } from '../passive/view.ts';
import type { WireMessage } from '../passive/wire-message.ts';
import type { Trace } from './trace-entry.ts';

/** One thing that a recorded agent did, or waited for. */
export type ReplayStep =
  | { readonly kind: 'send'; readonly message: WireMessage }
  /** The client's answer to a request of the agent. */
  | { readonly kind: 'answer'; readonly call: Call }
  /** A notification of the client, such as a cancellation. */
  | { readonly kind: 'notification'; readonly method: string };

/** What an agent did because of one request of its client, the answer included. */
export interface ReplayScript {
  readonly call: Call;
  readonly steps: ReplayStep[];
}

/** The agent's side of a trace, by the requests that set it off. */
export interface ReplayScripts {
  /** What the agent sent before any request. */
  readonly prelude: readonly ReplayStep[];
  readonly scripts: readonly ReplayScript[];
  /** Recorded lines of the agent. */
  readonly lines: number;
}

/**
 * Divides the agent's side of a trace. What it sent by itself goes with the turn of its session that
 * was running, else with the newest request that had no answer yet, else with the last one.
 */
export function toReplayScripts(trace: Trace): ReplayScripts {
  const view = createView(trace);
  const prelude: ReplayStep[] = [];
  const scripts: ReplayScript[] = [];
  const open = new Set<ReplayScript>();
  const owners = new Map<Call, ReplayStep[]>();
  for (const message of view.messages) {
    const call = view.callOf(message);
    if (message.sender === 'client') {
      if (message.kind === 'request' && call !== undefined) {
        const script = { call, steps: [] };
        scripts.push(script);
        open.add(script);
      } else if (message.kind === 'response' && call !== undefined) {
        owners.get(call)?.push({ kind: 'answer', call });
      } else if (message.kind === 'notification') {
        const turn = turnOf(message, open);
        turn?.steps.push({ kind: 'notification', method: message.method });
      }
      continue;
    }
    const answered = scripts.find((script) => script.call === call);
    const owner = answered ?? turnOf(message, open) ?? [...open].at(-1) ?? scripts.at(-1);
    const steps = owner?.steps ?? prelude;
    steps.push({ kind: 'send', message });
    if (answered !== undefined) open.delete(answered);
    else if (call !== undefined) owners.set(call, steps);
  }
  const lines = view.messages.filter(({ sender }) => sender === 'agent').length;
  return { prelude, scripts, lines };
}

/** The running turn of the session that a message belongs to; the newest turn if it names none. */
function turnOf(message: WireMessage, open: ReadonlySet<ReplayScript>): ReplayScript | undefined {
  const sessionId = stringAt(message.params, 'sessionId');
  return [...open].findLast(
    ({ call }) =>
      call.method === 'session/prompt' &&
      (sessionId === undefined || stringAt(call.params, 'sessionId') === sessionId),
  );
}
