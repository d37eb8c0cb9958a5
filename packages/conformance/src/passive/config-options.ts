import { at, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { offeredModes } from './session-setup.ts';
import type { View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** Modes and options of sessions. */
export const CONFIG_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'config options are described in full',
    ids: { agent: ['R-CFG-01', 'R-CFG-02', 'R-CFG-17'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        if (message.sender !== 'agent' || isOtherVersion(view, message)) continue;
        const options = optionsIn(message);
        for (const option of options) judgeOption(message, option, notes);
        if (!isPresent(message.result, 'modes') || options.length === 0) continue;
        const hasMode = options.some((option) => at(option, 'category') === 'mode');
        if (hasMode) notes.ok('R-CFG-17', 'agent');
      }
    },
  },
  {
    name: 'lists of config options are complete',
    ids: { agent: ['R-CFG-09', 'R-CFG-13'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      const known = new Map<string, number>();
      for (const message of view.messages) {
        if (message.sender !== 'agent' || isOtherVersion(view, message)) continue;
        const sessionId = sessionOf(view, message);
        const options = optionsIn(message);
        if (sessionId === undefined || (options.length === 0 && !isConfigMessage(view, message)))
          continue;
        judgeList(view, message, known.get(sessionId) ?? 0, notes);
        known.set(sessionId, options.length);
      }
    },
  },
  {
    name: 'modes and options are set from what was offered',
    ids: { client: ['R-MOD-02', 'R-CFG-05', 'R-CFG-08'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const message of view.messages) {
        if (message.sender !== 'client' || isOtherVersion(view, message)) continue;
        if (message.method === 'session/set_mode') judgeSetMode(view, message, notes);
        if (message.method === 'session/set_config_option') judgeSetOption(message, notes);
      }
    },
  },
  {
    name: 'an own change of mode names currentModeId',
    ids: { agent: ['R-MOD-05'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const { kind, update, message, sessionId } of view.updates) {
        if (kind !== 'current_mode_update') continue;
        const modeId = update['currentModeId'];
        const isOk = typeof modeId === 'string';
        notes.judge('R-MOD-05', message, isOk, 'current_mode_update lacks currentModeId');
        const offered = offeredModes(view, sessionId, message.index);
        if (!isOk || offered.length === 0) continue;
        if (offered.some((mode) => at(mode, 'id') === modeId)) continue;
        const text = 'the mode of current_mode_update is none that was offered for the session';
        notes.warn('R-MOD-05', 'agent', text, message);
      }
    },
  },
];

function optionsIn({ result, params, method }: WireMessage): readonly unknown[] {
  if (method === '') return listAt(result, 'configOptions');
  const kind = stringAt(params, 'update', 'sessionUpdate');
  return kind === 'config_option_update' ? listAt(params, 'update', 'configOptions') : [];
}

function isConfigMessage(view: View, message: WireMessage): boolean {
  const isAnswer = view.callOf(message)?.method === 'session/set_config_option';
  return (isAnswer && !message.isError) || optionsIn(message).length > 0;
}

function sessionOf(view: View, message: WireMessage): string | undefined {
  const call = view.callOf(message);
  return (
    stringAt(message.params, 'sessionId') ??
    stringAt(call?.params, 'sessionId') ??
    stringAt(message.result, 'sessionId')
  );
}

function judgeOption(message: WireMessage, option: unknown, notes: Notes): void {
  const type = stringAt(option, 'type');
  const isShaped =
    typeof at(option, 'id') === 'string' &&
    typeof at(option, 'name') === 'string' &&
    type !== undefined &&
    isPresent(option, 'currentValue');
  notes.judge('R-CFG-01', message, isShaped, 'an option lacks id, name, type or currentValue');
  if (type !== 'select') return;
  const items = listAt(option, 'options');
  const groups = items.filter((item) => isPresent(item, 'group'));
  const values = (
    groups.length > 0 ? groups.flatMap((group) => listAt(group, 'options')) : items
  ).map((item) => at(item, 'value'));
  const isUniform = groups.length === 0 || groups.length === items.length;
  const areValues = values.every((value) => typeof value === 'string');
  const current = at(option, 'currentValue');
  notes.judge(
    'R-CFG-02',
    message,
    isUniform && areValues,
    'options of a select are mixed or broken',
  );
  if (!isUniform || !areValues || values.some((value) => value === current)) return;
  notes.warn('R-CFG-02', message.sender, 'the current value is not among the options', message);
}

/** A list that shrinks to one option is most likely only what changed. */
function judgeList(view: View, message: WireMessage, before: number, notes: Notes): void {
  const call = view.callOf(message);
  const id = call?.method === 'session/set_config_option' ? 'R-CFG-09' : 'R-CFG-13';
  if (call !== undefined && id === 'R-CFG-13') return;
  const options = optionsIn(message);
  const changed = options.find((option) => at(option, 'id') === at(call?.params, 'configId'));
  if (options.length === 0 || (options.length === 1 && before > 1)) {
    const text = `the list has ${options.length} options; before there were ${before}`;
    if (options.length === 0 && before > 0) notes.bad(id, 'agent', text, call?.request, message);
    else notes.warn(id, 'agent', text, call?.request, message);
  } else if (call !== undefined && at(changed, 'currentValue') !== at(call.params, 'value')) {
    notes.warn(id, 'agent', 'the new value does not show in the answer', call.request, message);
  } else {
    notes.ok(id, 'agent');
  }
}

function judgeSetMode(view: View, message: WireMessage, notes: Notes): void {
  const sessionId = stringAt(message.params, 'sessionId') ?? '';
  const isOffered = offeredModes(view, sessionId, message.index).some(
    (mode) => at(mode, 'id') === at(message.params, 'modeId'),
  );
  notes.judge('R-MOD-02', message, isOffered, 'the mode is none that was offered for the session');
  const hasOption = view.messages.some(
    (other) =>
      other.index < message.index &&
      sessionOf(view, other) === sessionId &&
      optionsIn(other).some((option) => at(option, 'category') === 'mode'),
  );
  const text = 'set_mode is used although there is a config option for the mode';
  notes.judge('R-CFG-05', message, !hasOption, text);
}

function judgeSetOption(message: WireMessage, notes: Notes): void {
  const value = at(message.params, 'value');
  const isBoolean = at(message.params, 'type') === 'boolean';
  const isOk =
    typeof at(message.params, 'configId') === 'string' &&
    typeof value === (isBoolean ? 'boolean' : 'string');
  notes.judge('R-CFG-08', message, isOk, 'configId is missing, or the value does not fit the type');
}
