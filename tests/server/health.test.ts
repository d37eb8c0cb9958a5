import { CoreError, createMemoryJournal, type Journal } from '@signalbox/core';
import { SimulatedClock } from '@signalbox/host';
import { describe, expect, it } from 'vitest';
import { codeOf, SOON } from './ask.ts';
import { Box } from './box.ts';

describe('the health of a server', () => {
  it('is asked for without credentials, with GET and HEAD', async () => {
    const box = await Box.open();
    for (const [path, status] of [
      ['/health/live', 'live'],
      ['/health/ready', 'ready'],
    ] as const) {
      const got = await box.ask(path);
      expect([got.status, got.text]).toEqual([200, JSON.stringify({ status })]);
      const head = await box.ask(path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
    }
  });

  it('is bad while the journal cannot be written, and good again afterwards', async () => {
    const clock = new SimulatedClock();
    const journal = createMemoryJournal();
    let isFull = false;
    const failing: Journal = {
      ...journal,
      records: {
        ...journal.records,
        create: (key, value) =>
          isFull ? Promise.reject(full()) : journal.records.create(key, value),
        put: (key, value, revision) =>
          isFull ? Promise.reject(full()) : journal.records.put(key, value, revision),
      },
    };
    const box = await Box.open({ clock, stage: { journal: failing } });
    expect((await box.ask('/health/ready')).status).toBe(200);
    isFull = true;
    // Asking often does not write often.
    expect((await box.ask('/health/ready')).status).toBe(200);
    clock.advance(5000);
    const answer = await box.ask('/health/ready');
    expect([answer.status, codeOf(answer)]).toEqual([503, 'journal_failed']);
    expect(answer.text).not.toContain('disk');
    expect((await box.ask('/health/live')).status).toBe(200);
    isFull = false;
    clock.advance(5000);
    expect((await box.ask('/health/ready')).status).toBe(200);
  });

  it('is bad when the journal does not answer', async () => {
    const clock = new SimulatedClock();
    const journal = createMemoryJournal();
    const hanging: Journal = {
      ...journal,
      records: {
        ...journal.records,
        get: (key) =>
          key === 'server/probe' ? new Promise(() => undefined) : journal.records.get(key),
      },
    };
    const box = await Box.open({ clock, stage: { journal: hanging } });
    const before = clock.timerCount;
    const asked = box.ask('/health/ready');
    await expect.poll(() => clock.timerCount, SOON).toBe(before + 1);
    clock.advance(5000);
    expect((await asked).status).toBe(503);
  });
});

function full(): CoreError {
  return new CoreError('journal_write_failed', 'the disk is full');
}

describe('the numbers of a server', () => {
  it('are for those who are known', async () => {
    const box = await Box.open();
    expect((await box.ask('/metrics')).status).toBe(401);
    const { status, headers, text } = await box.ask('/metrics', {
      headers: await box.token('observer'),
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const name of [
      'sessions_open',
      'connections_open',
      'event_streams_open',
      'acp_streams_open',
      'sockets_open',
      'event_loop_lag_seconds',
      'frames_total',
      'evictions_total',
      'http_request_duration_seconds',
    ]) {
      expect(text).toContain(`# HELP signalbox_${name} `);
    }
  });

  it('are for everybody where that was said', async () => {
    const box = await Box.open({ openMetrics: true });
    expect((await box.ask('/metrics')).status).toBe(200);
  });

  it('are kept for each server alone, and hold no label that clients choose', async () => {
    const [box, other] = [
      await Box.open({ openMetrics: true }),
      await Box.open({ openMetrics: true }),
    ];
    await box.ask('/nowhere/secret');
    await box.ask('/health/live', { method: 'PROPFIND' });
    const { text } = await box.ask('/metrics');
    expect(text).toContain('{method="GET",route="unmatched",status="404"} 1');
    expect(text).toContain('{method="other",route="unmatched",status="404"} 1');
    expect(text).not.toMatch(/secret|PROPFIND/);
    expect((await other.ask('/metrics')).text).not.toContain('unmatched');
  });
});
