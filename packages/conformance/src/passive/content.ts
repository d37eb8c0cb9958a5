import { at, isObject, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { toolCallsIn } from './paths.ts';
import { isOtherVersion } from './schema.ts';
import type { WireMessage } from './wire-message.ts';

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
};

/** Content blocks, wherever they stand. */
export const CONTENT_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'content blocks are whole',
    ids: {
      agent: ['R-CNT-01', 'R-CNT-02', 'R-CNT-03', 'R-CNT-04', 'R-CNT-07', 'R-CNT-09'],
      client: ['R-CNT-01', 'R-CNT-02', 'R-CNT-03', 'R-CNT-04', 'R-CNT-07', 'R-CNT-09'],
    },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        if (isOtherVersion(view, message)) continue;
        for (const block of blocksIn(message)) judgeBlock(message, block, notes);
      }
    },
  },
];

function blocksIn(message: WireMessage): readonly unknown[] {
  const { method, params } = message;
  if (method === 'session/prompt') return listAt(params, 'prompt');
  const inTools = toolCallsIn(message).flatMap((call) =>
    listAt(call, 'content')
      .filter((item) => at(item, 'type') === 'content')
      .map((item) => at(item, 'content')),
  );
  if (stringAt(params, 'update', 'sessionUpdate')?.endsWith('_chunk') !== true) return inTools;
  return [at(params, 'update', 'content')];
}

function judgeBlock(message: WireMessage, block: unknown, notes: Notes): void {
  const type = stringAt(block, 'type') ?? '';
  const required = Object.hasOwn(REQUIRED, type) ? REQUIRED[type] : undefined;
  const isShaped =
    required?.every((name) => typeof at(block, name) === 'string') === true &&
    (type !== 'resource' || isObject(at(block, 'resource')));
  const text = `a block of type ${type || '(none)'} lacks a required member, or the type does not exist`;
  notes.judge('R-CNT-01', message, isShaped, text);
  if (!isShaped) return;
  // Fields that ACP and MCP share have one name and form in both.
  notes.ok('R-CNT-09', message.sender);
  if (message.sender === 'agent' && type !== 'text') notes.ok('R-CNT-04', 'agent');
  if (isPresent(block, 'annotations')) judgeAnnotations(message, at(block, 'annotations'), notes);
  if (type === 'image' || type === 'audio') judgeBase64(message, at(block, 'data'), notes);
  if (type === 'resource') judgeResource(message, at(block, 'resource'), notes);
}

function judgeResource(message: WireMessage, resource: unknown, notes: Notes): void {
  const hasText = typeof at(resource, 'text') === 'string';
  const hasBlob = typeof at(resource, 'blob') === 'string';
  const isOk = hasText !== hasBlob && typeof at(resource, 'uri') === 'string';
  notes.judge('R-CNT-02', message, isOk, 'a resource has a uri and either text or blob');
  if (hasBlob) judgeBase64(message, at(resource, 'blob'), notes);
}

function judgeBase64(message: WireMessage, data: unknown, notes: Notes): void {
  const isOk =
    typeof data === 'string' && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
  notes.judge('R-CNT-03', message, isOk, 'data is not plain base64');
}

function judgeAnnotations(message: WireMessage, annotations: unknown, notes: Notes): void {
  const audience = at(annotations, 'audience') ?? undefined;
  const priority = at(annotations, 'priority') ?? undefined;
  const isOk =
    (audience === undefined ||
      (Array.isArray(audience) &&
        audience.every((role) => role === 'user' || role === 'assistant'))) &&
    (priority === undefined || typeof priority === 'number');
  notes.judge('R-CNT-07', message, isOk, 'annotations do not fit the schema');
}
