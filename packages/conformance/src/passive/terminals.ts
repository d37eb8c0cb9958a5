import { at, isObject, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { isTool } from './tool-calls.ts';
import { isInReplay } from './turns.ts';
import type { Call, View } from './view.ts';

/** Terminals of the client, as agents use them and clients serve them. */
export const TERMINAL_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'terminals in content were created, and are shown before release',
    ids: { agent: ['R-TOOL-18', 'R-TRM-15'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const update of view.updates) {
        if (!isTool(update) || isOtherVersion(view, update.message)) continue;
        if (isInReplay(view, update.sessionId, update.message.index)) continue;
        for (const item of listAt(update.update, 'content')) {
          if (at(item, 'type') !== 'terminal') continue;
          const id = stringAt(item, 'terminalId');
          const created = createdTerminals(view).find((each) => each.id === id);
          const isKnown =
            created !== undefined && (created.response?.index ?? Infinity) < update.message.index;
          const text = 'a terminal is shown that terminal/create did not return';
          notes.judge('R-TOOL-18', update.message, isKnown, text);
          if (created === undefined) continue;
          const isShown = !isReleasedBefore(view, created.id, update.message.index);
          if (isShown || wasShownBefore(view, created.id, update.message.index)) {
            notes.ok('R-TRM-15', 'agent');
          } else {
            const why = 'a terminal is shown for the first time after its release';
            notes.bad('R-TRM-15', 'agent', why, update.message);
          }
        }
      }
    },
  },
  {
    name: 'terminals are released by the end of the turn',
    ids: { agent: ['R-TRM-12', 'R-TRM-18'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const { id, request, response } of createdTerminals(view)) {
        if (isOtherVersion(view, request)) continue;
        const turn = view.calls.find(
          (call) =>
            call.method === 'session/prompt' &&
            call.request.index < request.index &&
            (call.response?.index ?? Infinity) > request.index,
        );
        if (isReleasedBefore(view, id, Infinity)) notes.ok('R-TRM-12', 'agent');
        else if (turn?.response !== undefined) {
          const text = 'a terminal is still there at the end of the turn; it may run on purpose';
          notes.warn('R-TRM-12', 'agent', text, response, turn.response);
        }
        judgeTimeout(view, id, notes);
      }
    },
  },
  {
    name: 'terminal/create is sent in full',
    ids: { agent: ['R-TRM-05'] },
    toleratesHostilePeer: true,
    run({ calls }, notes) {
      for (const { method, params, request } of calls) {
        if (method !== 'terminal/create') continue;
        const env = at(params, 'env') ?? [];
        const args = at(params, 'args') ?? [];
        const isOk =
          typeof at(params, 'sessionId') === 'string' &&
          typeof at(params, 'command') === 'string' &&
          Array.isArray(args) &&
          Array.isArray(env) &&
          env.every(
            (pair) => typeof at(pair, 'name') === 'string' && typeof at(pair, 'value') === 'string',
          );
        notes.judge('R-TRM-05', request, isOk, 'sessionId, command, args or env do not fit');
      }
    },
  },
  {
    name: 'terminal answers have the right form',
    ids: { client: ['R-TRM-03', 'R-TRM-06', 'R-TRM-08', 'R-TRM-09'] },
    toleratesHostilePeer: true,
    run({ calls }, notes) {
      for (const call of calls) judgeAnswer(call, notes);
    },
  },
];

interface Created {
  readonly id: string;
  readonly request: Call['request'];
  readonly response: Call['response'];
}

function createdTerminals({ calls }: View): readonly Created[] {
  return calls.flatMap(({ method, request, response }) => {
    const id = stringAt(response?.result, 'terminalId');
    return method === 'terminal/create' && id !== undefined ? [{ id, request, response }] : [];
  });
}

function isReleasedBefore({ calls }: View, id: string, index: number): boolean {
  return calls.some(
    ({ method, params, request }) =>
      method === 'terminal/release' &&
      stringAt(params, 'terminalId') === id &&
      request.index < index,
  );
}

function wasShownBefore({ updates }: View, id: string, index: number): boolean {
  return updates.some(
    ({ update, message }) =>
      message.index < index &&
      listAt(update, 'content').some((item) => at(item, 'terminalId') === id),
  );
}

/** After a kill the output can still be read, until the release (R-TRM-18). */
function judgeTimeout({ calls }: View, id: string, notes: Notes): void {
  const mine = calls.filter(({ params }) => stringAt(params, 'terminalId') === id);
  const kill = mine.find(({ method }) => method === 'terminal/kill');
  const release = mine.find(({ method }) => method === 'terminal/release');
  if (kill === undefined || release === undefined) return;
  if (release.request.index > kill.request.index) notes.ok('R-TRM-18', 'agent');
  else {
    notes.bad(
      'R-TRM-18',
      'agent',
      'a terminal was released before it was killed',
      release.request,
      kill.request,
    );
  }
}

function judgeAnswer({ method, request, response }: Call, notes: Notes): void {
  if (response === undefined || response.isError || response.sender !== 'client') return;
  const { result } = response;
  if (method === 'terminal/create') {
    const isOk = (stringAt(result, 'terminalId') ?? '') !== '';
    notes.judge('R-TRM-03', response, isOk, 'the terminal has no id', request);
  } else if (method === 'terminal/output') {
    const isOk =
      typeof at(result, 'output') === 'string' && typeof at(result, 'truncated') === 'boolean';
    notes.judge('R-TRM-06', response, isOk, 'output or truncated is missing', request);
    if (isPresent(result, 'exitStatus'))
      judgeExit(at(result, 'exitStatus'), 'R-TRM-08', response, notes);
  } else if (method === 'terminal/wait_for_exit') {
    const isFlat = isObject(result) && !('exitStatus' in result);
    notes.judge(
      'R-TRM-09',
      response,
      isFlat,
      'exitCode and signal stand in the result itself',
      request,
    );
    if (isFlat) judgeExit(result, 'R-TRM-08', response, notes);
  }
}

function judgeExit(
  status: unknown,
  id: string,
  response: NonNullable<Call['response']>,
  notes: Notes,
): void {
  const code = at(status, 'exitCode') ?? undefined;
  const signal = at(status, 'signal') ?? undefined;
  const isOk =
    (code === undefined || (Number.isInteger(code) && Number(code) >= 0)) &&
    (signal === undefined || typeof signal === 'string') &&
    (code !== undefined || signal !== undefined);
  notes.judge(id, response, isOk, 'neither an exit code from 0 nor the name of a signal');
}
