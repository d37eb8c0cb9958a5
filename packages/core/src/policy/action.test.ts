import { RawJson } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import { mergeToolCall } from '../session/tool-call.ts';
import { toAction } from './action.ts';

describe('toAction', () => {
  test('takes what the agent said about the tool call, and the arguments in its words', () => {
    const raw = new RawJson(
      '{"toolCallId":"c","title":"Run","kind":"execute","locations":[{"path":"a b"},{"path":"/x"}],' +
        '"rawInput":{"n":1e400}}',
    );
    const toolCall = mergeToolCall(undefined, raw.value as { toolCallId: string }, raw);
    expect(toAction(toolCall, '/work')).toEqual({
      kind: 'execute',
      title: 'Run',
      paths: ['a b', '/x'],
      cwd: '/work',
      rawInput: new RawJson('{"n":1e400}'),
    });
  });

  test('claims nothing that the agent did not say', () => {
    const raw = new RawJson('{"toolCallId":"c","rawInput":null}');
    const toolCall = mergeToolCall(undefined, raw.value as { toolCallId: string }, raw);
    const action = toAction(toolCall, '/work');
    expect(action).toEqual({ kind: 'other', title: '', paths: [], cwd: '/work' });
    expect(action).not.toHaveProperty('rawInput');
  });
});
