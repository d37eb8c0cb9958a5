import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '@signalbox/core';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import { openSqliteJournal } from '../../packages/host/src/index.ts';
import { command, Harness, ME, untilEvent } from './harness.ts';
import { Runner } from './runner.ts';

/** Set SIGNALBOX_KILL_ROUNDS=50 for a longer run. */
const ROUNDS = Number(process.env['SIGNALBOX_KILL_ROUNDS'] ?? 15);
const SEED = Number(process.env['SIGNALBOX_KILL_SEED'] ?? 20_251_130);
let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-recovery-'));
  file = join(folder, 'journal.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Numbers from 0 up to 1, the same ones for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a killed host had acknowledged: its sessions, and the last event of each that was seen. */
function acknowledged(lines: readonly string[]) {
  const sessions = new Map<SessionId, { agent: string; seq: number }>();
  for (const line of lines) {
    const [kind, id = '', rest = ''] = line.split(' ');
    const sessionId = id as SessionId;
    if (kind === 'session') sessions.set(sessionId, { agent: rest, seq: 1 });
    const session = sessions.get(sessionId);
    if (kind === 'event' && session !== undefined) session.seq = Number(rest);
  }
  return sessions;
}

async function checkSession(harness: Harness, sessionId: SessionId, seq: number): Promise<void> {
  const events = await harness.events(sessionId);
  expect(events.length).toBeGreaterThanOrEqual(seq);
  const started = events.filter(({ type }) => type === 'turn.started');
  const finished = await harness.eventsOf(sessionId, 'turn.finished');
  expect(finished.map(({ turnId }) => turnId)).toEqual(started.map(({ turnId }) => turnId));
  const last = finished.at(-1)?.data.end;
  if (last?.kind === 'failed') expect(last.failure).toBe('interrupted');
  const session = await harness.host.openSession(sessionId);
  expect(session.state).toMatchObject({
    turn: { kind: 'idle' },
    agent: { kind: 'absent' },
    queue: [],
  });
  expect(session.state.permissions.size).toBe(0);
}

async function promptAgain(harness: Harness, sessionId: SessionId, agent: string): Promise<void> {
  const session = await harness.host.openSession(sessionId);
  const from = session.headSeq;
  const text = agent === 'asks-permission' ? '{"options":["allow_once"]}' : '1';
  const outcome = session.prompt(command(text));
  if (agent === 'never-initializes') {
    await untilEvent(session, 'turn.started', () => session.headSeq > from);
    session.cancel(ME);
  } else if (agent === 'asks-permission') {
    await untilEvent(session, 'permission.requested', ({ data }) => {
      return session.state.permissions.has(data.permissionId);
    });
    const [permissionId] = session.state.permissions.keys();
    if (permissionId !== undefined) {
      await session.answerPermission(permissionId, 'id-allow_once', ME);
    }
  }
  expect((await outcome).end.kind).toBe('stopped');
}

test(
  `hosts that are killed at any moment lose nothing acknowledged (seed ${SEED})`,
  { timeout: 20_000 + ROUNDS * 5000 },
  async () => {
    const next = random(SEED);
    const endings = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const runner = new Runner(file, folder, 'work');
      await runner.untilLines(1 + Math.floor(next() * 120));
      await runner.kill();
      const sessions = acknowledged(runner.lines);
      const journal = await openSqliteJournal({ file });
      const harness = await Harness.open({
        journal,
        settings: { eofGraceMs: 50, termGraceMs: 50, settleMs: 30 },
      });
      expect(harness.problems).toEqual([]);
      for (const sessionId of sessions.keys()) expect(markedProcesses(sessionId)).toEqual([]);
      for (const summary of await harness.host.listSessions({ limit: 1000 })) {
        expect(summary.status).not.toBe('running');
        endings.add(summary.status);
      }
      await Promise.all(
        [...sessions].map(async ([sessionId, { agent, seq }]) => {
          await checkSession(harness, sessionId, seq);
          await promptAgain(harness, sessionId, agent);
        }),
      );
      await harness.host.close();
    }
    expect(endings).toContain('interrupted');
  },
);
