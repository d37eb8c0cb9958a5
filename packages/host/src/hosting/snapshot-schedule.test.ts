import { RawJson } from '@signalbox/acp';
import {
  INITIAL_STATE,
  reduceAll,
  type PromptId,
  type SessionState,
  type TurnId,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import {
  SNAPSHOT_AT_END,
  SNAPSHOT_EVERY,
  SNAPSHOT_EVERY_RUNNING,
  SnapshotSchedule,
} from './snapshot-schedule.ts';

const idle = INITIAL_STATE;
const running: SessionState = reduceAll(idle, [
  {
    type: 'turn.started',
    time: 1,
    turnId: 'T' as TurnId,
    data: { promptId: 'P' as PromptId, content: new RawJson('[]'), by: { kind: 'host' } },
  },
]);

test('a snapshot is due when the log has grown enough behind the last one', () => {
  const schedule = new SnapshotSchedule(100);
  expect(schedule.isDue({ seq: 99 + SNAPSHOT_EVERY, state: idle })).toBe(false);
  expect(schedule.isDue({ seq: 100 + SNAPSHOT_EVERY, state: idle })).toBe(true);
  schedule.begun(100 + SNAPSHOT_EVERY);
  expect(schedule.isDue({ seq: 101 + SNAPSHOT_EVERY, state: idle })).toBe(false);
});

test('a running turn is waited for, but not for ever', () => {
  const schedule = new SnapshotSchedule(0);
  expect(schedule.isDue({ seq: SNAPSHOT_EVERY_RUNNING - 1, state: running })).toBe(false);
  expect(schedule.isDue({ seq: SNAPSHOT_EVERY_RUNNING, state: running })).toBe(true);
});

test('long snapshots are written more seldom', () => {
  const schedule = new SnapshotSchedule(0);
  schedule.written(1024 * 1024);
  expect(schedule.isDue({ seq: 8191, state: idle })).toBe(false);
  expect(schedule.isDue({ seq: 8192, state: idle })).toBe(true);
});

test('a session that is closed gets one if that spares its next owner something', () => {
  const schedule = new SnapshotSchedule(50);
  expect(schedule.isWorthAtEnd({ seq: 49 + SNAPSHOT_AT_END, state: running })).toBe(false);
  expect(schedule.isWorthAtEnd({ seq: 50 + SNAPSHOT_AT_END, state: running })).toBe(true);
});
