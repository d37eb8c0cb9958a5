import type { PermissionOption, ToolCallUpdate } from '@signalbox/acp';
import { AbortGate } from '../loop/abort-gate.ts';
import type { ClientLink } from './client-link.ts';

/** What came of asking. Only `approved` allows anything (R-PER-07). */
export type Approval = 'approved' | 'rejected' | 'dismissed' | 'cancelled' | 'unanswered';

const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
];

/** Asks the client before a tool runs, and remembers which tools it allows for good. */
export class PermissionGate {
  readonly #client: ClientLink;
  readonly #alwaysAllowed = new Set<string>();

  constructor(client: ClientLink) {
    this.#client = client;
  }

  /** Resolves at once when the signal is aborted, whether or not the client answers. */
  async ask(toolName: string, toolCall: ToolCallUpdate, signal: AbortSignal): Promise<Approval> {
    if (this.#alwaysAllowed.has(toolName)) return 'approved';
    const gate = new AbortGate(signal);
    try {
      const request = { toolCall, options: [...OPTIONS] };
      const answer = await gate.wait(this.#client.requestPermission(request, signal));
      if (answer === 'aborted' || signal.aborted) return 'cancelled';
      if (answer.outcome.outcome !== 'selected') return 'dismissed';
      const { optionId } = answer.outcome;
      if (optionId === 'allow_always') this.#alwaysAllowed.add(toolName);
      return optionId === 'allow_always' || optionId === 'allow_once' ? 'approved' : 'rejected';
    } catch {
      // A client that cannot answer has not approved.
      return signal.aborted ? 'cancelled' : 'unanswered';
    } finally {
      gate.dispose();
    }
  }
}
