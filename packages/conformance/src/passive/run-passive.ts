import type { Observation } from '../findings/observation.ts';
import type { Trace } from '../trace/trace-entry.ts';
import type { TransportKind } from '../transport-kind.ts';
import { ANSWER_CHECKS } from './answers.ts';
import { CONFIG_CHECKS } from './config-options.ts';
import { CONTENT_CHECKS } from './content.ts';
import { ELICITATION_CHECKS } from './elicitations.ts';
import { ENVELOPE_CHECKS } from './envelope.ts';
import { EXTENSION_CHECKS } from './extension-members.ts';
import { GATE_CHECKS } from './gates.ts';
import { HANDSHAKE_CHECKS } from './handshake.ts';
import { LATE_FEATURE_CHECKS } from './late-features.ts';
import { LINE_CHECKS } from './lines.ts';
import { MESSAGE_CHECKS } from './messages.ts';
import { NAME_CHECKS } from './names.ts';
import { Notes, type PassiveCheck } from './passive-check.ts';
import { PATH_CHECKS } from './paths.ts';
import { PERMISSION_CHECKS } from './permission-requests.ts';
import { SCHEMA_CHECKS } from './schema.ts';
import { SESSION_ID_CHECKS } from './session-ids.ts';
import { SESSION_LIST_CHECKS } from './session-list.ts';
import { SESSION_SETUP_CHECKS } from './session-setup.ts';
import { TERMINAL_CHECKS } from './terminals.ts';
import { TOOL_CALL_CHECKS } from './tool-calls.ts';
import { TURN_CHECKS } from './turn-checks.ts';
import { createView } from './view.ts';

/** Every check that needs nothing but a trace. */
export const PASSIVE_CHECKS: readonly PassiveCheck[] = [
  ...LINE_CHECKS,
  ...ENVELOPE_CHECKS,
  ...ANSWER_CHECKS,
  ...NAME_CHECKS,
  ...SCHEMA_CHECKS,
  ...HANDSHAKE_CHECKS,
  ...GATE_CHECKS,
  ...PATH_CHECKS,
  ...SESSION_ID_CHECKS,
  ...SESSION_SETUP_CHECKS,
  ...SESSION_LIST_CHECKS,
  ...CONFIG_CHECKS,
  ...TURN_CHECKS,
  ...MESSAGE_CHECKS,
  ...CONTENT_CHECKS,
  ...TOOL_CALL_CHECKS,
  ...PERMISSION_CHECKS,
  ...TERMINAL_CHECKS,
  ...ELICITATION_CHECKS,
  ...LATE_FEATURE_CHECKS,
  ...EXTENSION_CHECKS,
];

/** How a trace came about. */
export interface PassiveOptions {
  /** True where one side breaks rules on purpose; only checks that allow for that are run. */
  readonly isHostile?: boolean;
  /** How the messages travelled. Default stdio. */
  readonly transport?: TransportKind;
}

/** Runs the passive checks over a trace and says what they saw of both sides. */
export function runPassive(trace: Trace, options: PassiveOptions = {}): readonly Observation[] {
  const view = createView(trace, options.transport);
  return PASSIVE_CHECKS.filter(
    (check) => options.isHostile !== true || check.toleratesHostilePeer,
  ).flatMap((check) => {
    const notes = new Notes(check.name);
    check.run(view, notes);
    return notes.observations();
  });
}
