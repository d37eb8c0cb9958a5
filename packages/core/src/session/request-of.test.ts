import { describe, expect, test } from 'vitest';
import { raw } from '../../../../tests/support/session/inputs.ts';
import type { EventOf } from './event.ts';
import type { PermissionId } from './ids.ts';
import { requestOf } from './request-of.ts';

function requested(toolCall: unknown, options: unknown): EventOf<'permission.requested'> {
  const action = { kind: 'other', title: '', paths: [], cwd: '/' };
  const permissionId = 'A' as PermissionId;
  const data = { permissionId, toolCall: raw(toolCall), options: raw(options), action };
  return { type: 'permission.requested', time: 1, data };
}

describe('requestOf', () => {
  test('repairs what the protocol lets a reader repair', () => {
    const option = { optionId: 'x', name: 'X', kind: 'allow_persistent' };
    const event = requested({ toolCallId: 'c', title: 5, kind: 'odd' }, [option]);
    expect(requestOf(event)).toMatchObject({ toolCall: { toolCallId: 'c' }, options: [option] });
    expect(requestOf(event).toolCall).not.toHaveProperty('title');
  });

  test.for([
    [null, []],
    [{}, []],
    [{ toolCallId: 'c' }, null],
    [{ toolCallId: 'c' }, [{ optionId: 5 }]],
  ])('takes nothing from a request that could not have come: %j', ([toolCall, options]) => {
    expect(requestOf(requested(toolCall, options))).toEqual({ toolCall: undefined, options: [] });
  });
});
