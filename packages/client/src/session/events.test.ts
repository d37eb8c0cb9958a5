import type { SessionEvent, StoredEvent } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClientKit, type ClientKit } from '../../../../tests/support/client/client-kit.ts';
import { Recorder } from '../../../../tests/support/client/recorder.ts';
import { ScriptedLog } from '../../../../tests/support/client/scripted-log.ts';
import { settled } from '../../../../tests/support/client/settled.ts';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import { completeLimits } from '../limits.ts';

const limits = completeLimits({ events: { countMax: 10 } });

let kit: ClientKit;
let log: ScriptedLog;
let heard: Recorder;

beforeEach(() => {
  kit = createClientKit({ limits });
  kit.dontWait();
  log = kit.server.add(new ScriptedLog('one', talk(1)));
  heard = new Recorder();
});

afterEach(async () => {
  await kit.client.close();
  expect(kit.clock.timerCount).toBe(0);
});

function talk(count: number): SessionEvent[] {
  const writer = new LogWriter().start('T', 'go');
  for (let n = 2; n <= count; n++) writer.say(`${n} `);
  return writer.events;
}

/** Appends so many events. */
function grow(count: number): void {
  log.append(...talk(log.events.length + count).slice(log.events.length));
}

async function take(events: AsyncGenerator<StoredEvent>, count: number): Promise<number[]> {
  const seqs: number[] = [];
  for (let n = 0; n < count; n++) {
    const next = await events.next();
    if (next.done !== true) seqs.push(next.value.seq);
  }
  return seqs;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe('the events of a session', () => {
  test('come each once and in order, from when they were asked for', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const events = session.events();
    grow(5);
    await heard.whenAt(session, 6);
    kit.server.connection.break();
    grow(3);
    expect(await take(events, 8)).toEqual(range(2, 9));
  });

  test('go to several readers, each at its own pace', async () => {
    const session = await kit.client.attach('one', { after: 'start' });
    const [one, two] = [session.events(), session.events()];
    expect(await take(one, 1)).toEqual([1]);
    grow(3);
    expect(await take(one, 3)).toEqual([2, 3, 4]);
    expect(await take(two, 4)).toEqual([1, 2, 3, 4]);
  });

  test('that a slow reader has no room for are read again from the log, while the view goes on', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const events = session.events();
    grow(100);
    await heard.whenAt(session, 101);
    expect(kit.server.connections).toHaveLength(1);
    expect(await take(events, 50)).toEqual(range(2, 51));
    expect(kit.server.connections).toHaveLength(2);
    grow(30);
    await heard.whenAt(session, 131);
    expect(await take(events, 80)).toEqual(range(52, 131));
    grow(1);
    expect(await take(events, 1)).toEqual([132]);
    await events.return();
    await kit.server.connections[1]?.peer.closed;
    expect(session.isAttached).toBe(true);
  });

  test('wait with the server, not here, for a reader that has stopped', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const events = session.events();
    grow(1000);
    await heard.whenAt(session, 1001);
    // The first one that comes over the connection of its own.
    await take(events, 20);
    // It has what it has room for, and is attached no longer.
    while (kit.server.connections[1]?.attached.size !== 0) await settled();
    const attaches = kit.server.count('_signalbox/session/attach one');
    await settled();
    expect(kit.server.count('_signalbox/session/attach one')).toBe(attaches);
    expect(await take(events, 980)).toEqual(range(22, 1001));
  });

  test('that are read over a connection of its own survive its breaks', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const events = session.events();
    grow(200);
    await heard.whenAt(session, 201);
    const seqs = await take(events, 25);
    for (let n = 0; n < 5; n++) {
      kit.server.connections.at(-1)?.break();
      await settled();
      seqs.push(...(await take(events, 35)));
    }
    expect(seqs).toEqual(range(2, 201));
  });

  test('end for a reader that breaks off, and nothing is kept for it', async () => {
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    for await (const { seq } of session.events()) if (seq === 1) break;
    grow(5);
    await heard.whenAt(session, 6);
    expect(kit.server.connections).toHaveLength(1);
  });

  test('end when the reader aborts, also while it waits', async () => {
    const session = await kit.client.attach('one');
    const abort = new AbortController();
    const next = session.events({ signal: abort.signal }).next();
    abort.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('end when the session is closed here, behind what was there', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const events = session.events();
    grow(2);
    await heard.whenAt(session, 3);
    await session.close();
    expect(await take(events, 3)).toEqual([2, 3]);
    expect(await session.events().next()).toMatchObject({ done: true });
  });

  test('end when the session was deleted', async () => {
    const session = await kit.client.attach('one');
    const next = session.events().next();
    kit.server.logs.delete('one');
    kit.server.connection.break();
    expect(await next).toMatchObject({ done: true });
  });

  test('throw when the session cannot be followed any more: that is no end', async () => {
    const session = await kit.client.attach('one');
    const next = session.events().next();
    kit.server.refusals.push(Object.assign(new Error('no'), { status: 410 }));
    kit.server.connection.break();
    await expect(next).rejects.toMatchObject({ code: 'gone' });
  });

  test('throw when some of them are missing', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const events = session.events();
    grow(1);
    await heard.whenAt(session, 2);
    log.renew(talk(1));
    kit.server.connection.break();
    expect(await take(events, 1)).toEqual([2]);
    await expect(events.next()).rejects.toMatchObject({ code: 'gap' });
    expect(session.isOver).toBe(false);
  });

  test('throw when some of them are missing for a slow reader', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const events = session.events();
    grow(100);
    await heard.whenAt(session, 101);
    log.renew(talk(1));
    expect(await take(events, 12)).toEqual(range(2, 13));
    await expect(events.next()).rejects.toMatchObject({ code: 'gap' });
  });
});
