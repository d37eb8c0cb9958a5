import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { unknownMember } from './unknown-member.ts';

test('the table of members is what the schema gives', async () => {
  const script = fileURLToPath(new URL('../../scripts/generate-members.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--print'], {
    maxBuffer: 10_000_000,
  });
  const current = await readFile(new URL('./known-members.gen.ts', import.meta.url), 'utf8');
  expect(current).toBe(stdout);
});

test('an unknown member is found at any depth, and known ones are left alone', () => {
  const update = {
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    title: 'x',
    rawInput: { anything: { goes: 1 } },
    content: [
      { type: 'diff', path: '/a', oldText: null, newText: '' },
      { type: 'content', content: { type: 'text', text: 'x', annotations: { priority: 1 } } },
    ],
    _meta: { vendor: 1 },
  };
  expect(unknownMember('session/update', 'params', { sessionId: 's', update })).toBeUndefined();
  const odd = { ...update, content: [{ type: 'diff', path: '/a', newText: '', patch: 'x' }] };
  expect(unknownMember('session/update', 'params', { sessionId: 's', update: odd })).toBe(
    'params.update.content[].patch',
  );
  expect(unknownMember('session/new', 'result', { sessionId: 's', vendor: 1 })).toBe(
    'result.vendor',
  );
  expect(unknownMember('_vendor/x', 'params', { vendor: 1 })).toBeUndefined();
  const form = {
    mode: 'form',
    message: 'm',
    sessionId: 's',
    requestedSchema: { type: 'object', properties: { any: { type: 'string' } } },
  };
  expect(unknownMember('elicitation/create', 'params', form)).toBeUndefined();
});
