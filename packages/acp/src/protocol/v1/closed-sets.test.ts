import { expect, expectTypeOf, test } from 'vitest';
import { isStopReason, STOP_REASONS } from './stop-reason.ts';
import type { StopReason } from './types.ts';
import { isKnownUpdateKind, UPDATE_KINDS, type UpdateKind } from './update-kinds.ts';

test('lists every stop reason and every update kind of the schema', () => {
  expectTypeOf<(typeof STOP_REASONS)[number]>().toEqualTypeOf<StopReason>();
  expectTypeOf<(typeof UPDATE_KINDS)[number]>().toEqualTypeOf<UpdateKind>();
  expect(STOP_REASONS).toHaveLength(5);
  expect(UPDATE_KINDS).toHaveLength(14);
});

test('knows the stop reasons', () => {
  expect(STOP_REASONS.every(isStopReason)).toBe(true);
  for (const other of ['done', '', null, undefined, 0, ['cancelled']]) {
    expect(isStopReason(other)).toBe(false);
  }
});

test('knows the update kinds', () => {
  expect(UPDATE_KINDS.every(isKnownUpdateKind)).toBe(true);
  for (const other of ['_vendor', '', 'toString']) expect(isKnownUpdateKind(other)).toBe(false);
});
