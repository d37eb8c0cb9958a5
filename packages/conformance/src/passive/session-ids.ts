import { at, isPresent, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { isInReplay } from './turns.ts';
import type { Call, View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

const NEEDS_SETUP = [
  'session/prompt',
  'session/set_mode',
  'session/set_config_option',
  'session/cancel',
];
const TURN_KINDS = [
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
];

/** The requirements under which requests of the agent name their session. */
const REQUEST_IDS: Readonly<Record<string, string>> = {
  'fs/read_text_file': 'R-FS-02',
  'fs/write_text_file': 'R-FS-02',
  'terminal/create': 'R-TRM-05',
};

/** Session ids: handed out once, known, and used only while the session is open. */
export const SESSION_ID_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'session ids are unique',
    ids: { agent: ['R-SES-02', 'R-SES-11'] },
    toleratesHostilePeer: true,
    run({ calls, updates }, notes) {
      const seen = new Set<string>();
      for (const { method, response } of calls) {
        const id = stringAt(response?.result, 'sessionId');
        if (method !== 'session/new' || response === undefined || response.isError) continue;
        const isNew = id !== undefined && id !== '' && !seen.has(id);
        notes.judge('R-SES-02', response, isNew, 'a session id is empty, missing or used before');
        if (id === undefined) continue;
        seen.add(id);
        const early = updates.find(
          ({ sessionId, message }) => sessionId === id && message.index < response.index,
        );
        const text = 'an update came before the response that names its session';
        if (early === undefined) notes.ok('R-SES-11', 'agent');
        else notes.bad('R-SES-11', 'agent', text, early.message, response);
      }
    },
  },
  {
    name: 'sessions are set up before they are used',
    ids: { client: ['R-SES-03', 'R-PRM-01'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const message of view.messages) {
        if (message.sender !== 'client' || !NEEDS_SETUP.includes(message.method)) continue;
        if (isOtherVersion(view, message)) continue;
        const id = stringAt(message.params, 'sessionId');
        const isKnown = id !== undefined && isSetUp(view, id, message.index);
        notes.judge('R-SES-03', message, isKnown, 'the session id was not handed out here');
        if (message.method !== 'session/prompt') continue;
        const isShaped = Array.isArray(at(message.params, 'prompt'));
        const text = 'a prompt without a session that is set up, or without a list of blocks';
        notes.judge('R-PRM-01', message, isKnown && isShaped, text);
      }
    },
  },
  {
    name: 'updates and requests name a known session',
    ids: { agent: ['R-CHK-02', 'R-CLS-02', 'R-FS-02', 'R-TRM-05'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const { sessionId, message } of view.updates) {
        if (isOtherVersion(view, message)) continue;
        // A session may be named before the response that hands it out; it must be named at last.
        const isKnown =
          isSetUp(view, sessionId, Infinity) || isInReplay(view, sessionId, message.index);
        notes.judge('R-CHK-02', message, isKnown, 'an update names a session that nobody set up');
      }
      for (const call of view.calls) {
        judgeRequest(view, call, notes);
        if (call.method === 'session/close') judgeClosed(view, call, notes);
      }
    },
  },
];

/** A sub-agent may have a session that the client did not set up, so this stays a warning. */
function judgeRequest(view: View, { method, params, request }: Call, notes: Notes): void {
  const id = Object.hasOwn(REQUEST_IDS, method) ? REQUEST_IDS[method] : undefined;
  const sessionId = stringAt(params, 'sessionId');
  if (id === undefined || sessionId === undefined || request.sender !== 'agent') return;
  if (isOtherVersion(view, request)) return;
  if (isSetUp(view, sessionId, Infinity) || isInReplay(view, sessionId, request.index)) {
    notes.ok(id, 'agent');
  } else {
    notes.warn(id, 'agent', `${method} names a session that nobody set up`, request);
  }
}

function isSetUp({ calls }: View, id: string, index: number): boolean {
  return calls.some(({ method, params, response, caller }) => {
    if (caller !== 'client' || response === undefined) return false;
    if (response.isError || response.index > index) return false;
    if (stringAt(response.result, 'sessionId') === id) return true;
    if (method === 'session/load' || method === 'session/resume') {
      return stringAt(params, 'sessionId') === id;
    }
    return false;
  });
}

/** Turn updates of a session that was closed and not opened again. */
function judgeClosed(view: View, { params, request, response }: Call, notes: Notes): void {
  const sessionId = stringAt(params, 'sessionId');
  if (response === undefined || response.isError) return;
  const reopened = view.calls.find(
    ({ method, ...call }) =>
      (method === 'session/load' || method === 'session/resume') &&
      stringAt(call.params, 'sessionId') === sessionId &&
      call.request.index > request.index,
  );
  const late = view.updates.find(
    ({ message, kind, ...update }) =>
      update.sessionId === sessionId &&
      message.index > response.index &&
      message.index < (reopened?.request.index ?? Infinity) &&
      TURN_KINDS.includes(kind),
  );
  if (late === undefined) notes.ok('R-CLS-02', 'agent');
  else {
    const text = 'a turn goes on after its session was closed';
    notes.bad('R-CLS-02', 'agent', text, response, late.message);
  }
}

/** Whether a listing says that there is another page. */
export function hasNextPage(response: WireMessage | undefined): boolean {
  return isPresent(response?.result, 'nextCursor');
}
