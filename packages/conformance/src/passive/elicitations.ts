import { at, isObject, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import type { Call, View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

const SECRET = /\b(password|passphrase|api[ _-]?key|secret|access[ _-]?token|recovery code|cvv)\b/i;
const PROPERTY_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum', 'oneOf'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
};
const COMMON_KEYWORDS = ['type', 'title', 'description', 'default', '_meta'];

/** Questions to the user, and their answers. */
export const ELICITATION_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'elicitations are asked in the right form',
    ids: {
      agent: [
        'R-ELI-04',
        'R-ELI-05',
        'R-ELI-06',
        'R-ELI-12',
        'R-ELI-13',
        'R-ELI-15',
        'R-ELI-20',
        'R-ELI-26',
      ],
    },
    toleratesHostilePeer: true,
    run(view, notes) {
      const ids = new Set<string>();
      for (const call of elicitations(view)) judgeQuestion(call, ids, notes);
      for (const message of view.messages) {
        if (message.sender !== 'agent' || message.method !== 'elicitation/complete') continue;
        const isKnown = ids.has(stringAt(message.params, 'elicitationId') ?? '');
        notes.judge('R-ELI-15', message, isKnown, 'the id is of no elicitation on this connection');
      }
    },
  },
  {
    name: 'elicitations are answered in the right form',
    ids: { client: ['R-ELI-07', 'R-ELI-08', 'R-ELI-11'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const { params, request, response } of elicitations(view)) {
        if (response === undefined || response.isError) continue;
        const action = stringAt(response.result, 'action') ?? '';
        const isAction = ['accept', 'decline', 'cancel'].includes(action);
        notes.judge('R-ELI-07', response, isAction, `the action ${action} does not exist`, request);
        if (action === 'accept' && stringAt(params, 'mode') === 'form') {
          judgeContent(params, response, notes);
        } else if (isAction) {
          const isBare = action === 'accept' || !isPresent(response.result, 'content');
          if (isBare) notes.ok('R-ELI-11', 'client');
        }
      }
    },
  },
];

function elicitations({ calls }: View): readonly Call[] {
  return calls.filter(
    ({ method, caller }) => method === 'elicitation/create' && caller === 'agent',
  );
}

function judgeQuestion({ params, request }: Call, ids: Set<string>, notes: Notes): void {
  const mode = stringAt(params, 'mode');
  const hasSession = typeof at(params, 'sessionId') === 'string';
  const hasRequest = isPresent(params, 'requestId');
  const isShaped =
    mode !== undefined && typeof at(params, 'message') === 'string' && hasSession !== hasRequest;
  notes.judge('R-ELI-04', request, isShaped, 'mode, message or exactly one scope is missing');
  if (mode === 'form') judgeForm(request, at(params, 'requestedSchema'), notes);
  if (mode !== 'url') return;
  const id = stringAt(params, 'elicitationId');
  const url = URL.parse(stringAt(params, 'url') ?? '');
  const isOk = id !== undefined && !ids.has(id) && url !== null;
  notes.judge('R-ELI-13', request, isOk, 'a new elicitationId or a valid url is missing');
  if (id !== undefined) ids.add(id);
  if (url === null) return;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const hasLogin = url.username !== '' || url.password !== '';
  const isSafe = (url.protocol === 'https:' || isLocal) && !hasLogin;
  notes.judge('R-ELI-20', request, isSafe, 'the url holds a login, or is not https');
}

function judgeForm(request: WireMessage, schema: unknown, notes: Notes): void {
  const properties = at(schema, 'properties');
  const isFlat =
    at(schema, 'type') === 'object' &&
    isObject(properties) &&
    Object.values(properties).every((property) => at(property, 'type') !== 'object');
  notes.judge('R-ELI-05', request, isFlat, 'the schema is no flat object');
  if (!isObject(properties)) return;
  const bad = Object.entries(properties).find(([, property]) => oddKeyword(property) !== undefined);
  const text = `property ${bad?.[0] ?? ''} uses ${oddKeyword(bad?.[1]) ?? ''}`;
  notes.judge('R-ELI-06', request, bad === undefined, text);
  const labels = Object.entries(properties).map(([name, property]) =>
    [
      name.replaceAll('_', ' '),
      stringAt(property, 'title'),
      stringAt(property, 'description'),
    ].join(' '),
  );
  const secret = labels.find((label) => SECRET.test(label));
  // Words alone prove nothing: a form may ask for the name of a key.
  if (secret === undefined) notes.ok('R-ELI-12', 'agent');
  else notes.warn('R-ELI-12', 'agent', `a form seems to ask for a secret: ${secret}`, request);
  const hasLink = labels.some((label) => /https?:\/\//.test(label));
  notes.judge('R-ELI-26', request, !hasLink, 'a form field holds a URL');
}

function oddKeyword(property: unknown): string | undefined {
  const type = stringAt(property, 'type') ?? '';
  if (!isObject(property) || !Object.hasOwn(PROPERTY_KEYWORDS, type)) return undefined;
  const allowed = [...COMMON_KEYWORDS, ...(PROPERTY_KEYWORDS[type] ?? [])];
  return Object.keys(property).find((name) => !allowed.includes(name));
}

function judgeContent(params: unknown, response: WireMessage, notes: Notes): void {
  const content = at(response.result, 'content');
  const missing = listAt(params, 'requestedSchema', 'required').find(
    (name) => !isPresent(content, String(name)),
  );
  const wrong = Object.entries(isObject(content) ? content : {}).find(
    ([name, value]) =>
      !fitsType(value, stringAt(params, 'requestedSchema', 'properties', name, 'type')),
  );
  const text = `the content lacks ${String(missing)}, or ${wrong?.[0] ?? 'a value'} has the wrong type`;
  notes.judge('R-ELI-08', response, missing === undefined && wrong === undefined, text);
}

function fitsType(value: unknown, type: string | undefined): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array')
    return Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (type === 'string' || type === 'number' || type === 'boolean') return typeof value === type;
  return true;
}
