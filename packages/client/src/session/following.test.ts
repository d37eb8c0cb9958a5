import { RawJson } from '@signalbox/acp';
import { encodeTranscript, toTranscript, type SessionEvent } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClientKit, type ClientKit } from '../../../../tests/support/client/client-kit.ts';
import { LogServer } from '../../../../tests/support/client/log-server.ts';
import { Recorder } from '../../../../tests/support/client/recorder.ts';
import { ScriptedLog } from '../../../../tests/support/client/scripted-log.ts';
import { settled } from '../../../../tests/support/client/settled.ts';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';

const ATTACH = '_signalbox/session/attach one';

let kit: ClientKit;
let log: ScriptedLog;
let heard: Recorder;

beforeEach(() => {
  kit = createClientKit();
  kit.dontWait();
  log = kit.server.add(new ScriptedLog('one', talk(8)));
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

/** More of the same talk, behind `from`. */
function more(from: number, count: number): SessionEvent[] {
  return talk(from + count).slice(from);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function expectRightView(view: Parameters<typeof encodeTranscript>[0]): void {
  expect(encodeTranscript(view)).toEqual(encodeTranscript(toTranscript(log.stored)));
}

describe('a session', () => {
  test('begins with a snapshot, tells what comes, and where it stands', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    expect(session).toMatchObject({ id: 'one', role: 'driver', agent: 'fake', cwd: '/project' });
    expectRightView(session.view);
    await heard.when('caught_up');
    log.append(...more(8, 2));
    await heard.whenAt(session, 10);
    expect(heard.seqs).toEqual([9, 10]);
    expect(heard.others).toEqual(['snapshot', 'attached', 'caught_up']);
    expect(session.cursor).toBe(log.cursorOf(10));
    expectRightView(session.view);
  });

  test('can begin behind a cursor that was kept', async () => {
    const after = log.cursorOf(5);
    const session = await kit.client.attach('one', { after, onEvent: heard.onEvent });
    await heard.when('caught_up');
    expect(heard.seqs).toEqual([6, 7, 8]);
    expect(session.view.lastSeq).toBe(8);
  });

  test('has its cursor behind an event only when all listeners have been told of it', async () => {
    log.batchMax = 1;
    const cursors: (string | undefined)[] = [];
    const session = await kit.client.attach('one', { after: 'start' });
    session.subscribe(({ type }) => {
      if (type === 'event') cursors.push(session.cursor);
    });
    session.subscribe(heard.onEvent);
    await heard.when('caught_up');
    expect(cursors.slice(0, 3)).toEqual([undefined, log.cursorOf(1), log.cursorOf(2)]);
  });

  test('leaves out what comes twice', async () => {
    log.doubled.add(1).add(4);
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.when('caught_up');
    expect(heard.seqs).toEqual(upTo(8));
    expectRightView(session.view);
    expect(kit.server.count(ATTACH)).toBe(1);
  });

  test('is attached again from its place when events are missing', async () => {
    log.lost.add(5);
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.whenAt(session, 8);
    expect(heard.seqs).toEqual(upTo(8));
    expectRightView(session.view);
    expect(kit.server.count(ATTACH)).toBe(2);
    expect(kit.lines).toContainEqual(expect.stringContaining('event 5 is missing, 6 came'));
  });

  test('takes a snapshot when events go missing again and again', async () => {
    log.batchMax = 8;
    Object.defineProperty(log.lost, 'delete', { value: (seq: number) => seq === 5 });
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.when('snapshot');
    expect(heard.heard).toContainEqual({ type: 'gap', reason: 'inconsistent' });
    expectRightView(session.view);
    expect(kit.server.count(ATTACH)).toBe(4);
  });

  test('ends when its server sends nothing but nonsense', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    const nonsense = { sessionId: 'one', events: [{ seq: 'nine', event: {} }], cursor: 'c' };
    for (let n = 0; !session.isOver && n < 10; n++) {
      void kit.server.connection.peer.notify('_signalbox/session/events', nonsense);
      await settled();
      await settled();
    }
    expect(heard.heard.at(-1)).toMatchObject({
      type: 'ended',
      reason: 'failed',
      error: { code: 'inconsistent' },
    });
  });

  test('begins anew when its log was made anew meanwhile', async () => {
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.when('caught_up');
    const before = session.view;
    log.renew(talk(3));
    kit.server.connection.break();
    await heard.when('caught_up', 2);
    expect(heard.others.slice(2)).toEqual(['detached', 'gap', 'snapshot', 'attached', 'caught_up']);
    expect(heard.heard).toContainEqual({ type: 'gap', reason: 'epoch' });
    expect(session.view).not.toBe(before);
    expectRightView(session.view);
  });

  test('begins anew when its server does not take its place any more', async () => {
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.when('caught_up');
    log.cursorOf = (seq) => `c0-one-${seq}`;
    const open = log.open.bind(log);
    log.open = (after) => open(after === undefined ? after : 'nonsense');
    kit.server.connection.break();
    await heard.when('caught_up', 2);
    expect(heard.heard).toContainEqual({ type: 'gap', reason: 'refused' });
    expectRightView(session.view);
  });

  test('is the same when pieces of text come merged', async () => {
    log.batchMax = 4;
    log.merge = (events) => {
      if (events.some(({ type }) => type !== 'update')) return undefined;
      const texts = events.map(
        (event) => (event.type === 'update' ? event.data.update.value : {}) as TextUpdate,
      );
      const text = texts.map(({ content }) => content.text).join('');
      const update = { ...texts[0], content: { type: 'text', text } };
      const [first] = events as [Extract<SessionEvent, { type: 'update' }>];
      return { ...first, data: { v: 1, update: new RawJson(JSON.stringify(update)) } };
    };
    const session = await kit.client.attach('one', {
      after: 'start',
      merge: true,
      onEvent: heard.onEvent,
    });
    await heard.when('caught_up');
    expect(heard.seqs).toEqual([1, 2, 3, 4, 8]);
    expect(heard.heard).toContainEqual(expect.objectContaining({ seq: 8, firstSeq: 5 }));
    expectRightView(session.view);
  });

  test('keeps the exact text of what agents wrote', async () => {
    log.append(new LogWriter().start('U').call('t', { rawInput: 0 }).events[1] as SessionEvent);
    const update = `{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","rawInput":{"n":12345678901234567890}}`;
    const last = log.events.at(-1) as Extract<SessionEvent, { type: 'update' }>;
    log.events[log.events.length - 1] = { ...last, data: { v: 1, update: new RawJson(update) } };
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.when('caught_up');
    const call = session.view.entries.find(({ kind }) => kind === 'tool_call');
    expect(call).toHaveProperty('rawInput.text', '{"n":12345678901234567890}');
  });

  test('is attached again over each new connection', async () => {
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    for (let n = 1; n <= 3; n++) {
      await heard.when('caught_up', n);
      kit.server.connection.break();
      await heard.when('detached', n);
      expect(session).toMatchObject({ isAttached: false, isCaughtUp: false });
      log.append(...more(7 + n, 1));
    }
    await heard.whenAt(session, 11);
    expect(heard.seqs).toEqual(upTo(11));
  });

  test('is attached again when it was closed at the server, with growing waits', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    for (const reason of ['closed', 'failed', 'slow', 'closed']) {
      await heard.when('attached', 1 + kit.lines.length);
      const ended = { sessionId: 'one', reason };
      void kit.server.connection.peer.notify('_signalbox/session/ended', ended);
      await heard.when('detached', kit.lines.length + 1);
    }
    await heard.when('attached', 5);
    expect(kit.lines.map((line) => /in (\d+) ms/.exec(line)?.[1])).toEqual([
      '250',
      '500',
      '1000',
      '2000',
    ]);
    expect(session.isAttached).toBe(true);
    expect(kit.server.connections).toHaveLength(1);
  });

  test('ends when it was deleted, also while the client was away', async () => {
    const session = await kit.client.attach('one', { onEvent: heard.onEvent });
    await heard.when('caught_up');
    kit.server.logs.delete('one');
    kit.server.connection.break();
    await heard.when('ended');
    expect(heard.heard.at(-1)).toMatchObject({ type: 'ended', reason: 'deleted' });
    await expect(session.setMode('x')).rejects.toMatchObject({ code: -32002 });
  });

  test('ends when the connection is given up for good', async () => {
    await kit.client.attach('one', { onEvent: heard.onEvent });
    kit.server.refusals.push(Object.assign(new Error('no'), { status: 401 }));
    kit.server.connection.break();
    await heard.when('ended');
    expect(heard.heard.at(-1)).toMatchObject({
      reason: 'failed',
      error: { code: 'unauthorized' },
    });
  });

  test('goes on when a listener throws, and tells the others', async () => {
    const session = await kit.client.attach('one', { after: 'start' });
    const oops = new Error('oops');
    session.subscribe(({ type }) => {
      if (type === 'event') throw oops;
    });
    session.subscribe(heard.onEvent);
    await heard.when('caught_up');
    expect(heard.seqs).toEqual(upTo(8));
    expect(heard.heard.filter(({ type }) => type === 'error')).toHaveLength(8);
    expect(heard.heard).toContainEqual({ type: 'error', error: oops });
    expect(session.cursor).toBe(log.cursorOf(8));
    expect(kit.lines).toContainEqual(expect.stringContaining('oops'));
  });

  test('goes on when a listener of errors throws', async () => {
    const session = await kit.client.attach('one', { after: 'start' });
    session.subscribe(() => {
      throw new Error('always');
    });
    session.subscribe(heard.onEvent);
    await heard.when('caught_up');
    expect(heard.seqs).toEqual(upTo(8));
  });

  test('can be closed by a listener in the middle of a batch', async () => {
    log.batchMax = 8;
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    session.subscribe((event) => {
      if (event.type === 'event' && event.seq === 3) void session.close();
    });
    await kit.server.whenHeard('_signalbox/session/detach one');
    expect(heard.seqs).toEqual([1, 2, 3]);
    expect(session.cursor).toBeUndefined();
  });

  test('hears nothing more after it was closed, and can be attached anew', async () => {
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.when('caught_up');
    await session.close();
    await session.close();
    log.append(...more(8, 1));
    const after = session.cursor ?? '';
    const again = await kit.client.attach('one', { after });
    const second = new Recorder();
    again.subscribe(second.onEvent);
    await second.when('caught_up');
    expect(heard.seqs).toEqual(upTo(8));
    expect(second.seqs).toEqual([9]);
  });

  test('takes nothing that was meant for an earlier attachment', async () => {
    const session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
    await heard.when('caught_up');
    await session.close();
    // The server has not heard of that yet.
    log.append(...more(8, 1));
    const second = new Recorder();
    await kit.client.attach('one', { after: log.cursorOf(4), onEvent: second.onEvent });
    await second.when('caught_up');
    expect(second.seqs).toEqual([5, 6, 7, 8, 9]);
  });
});

describe('attaching', () => {
  test('tells what the server says', async () => {
    await expect(kit.client.attach('two')).rejects.toMatchObject({ code: -32002 });
    // Nothing is left of it.
    kit.server.add(new ScriptedLog('two', talk(2)));
    await kit.client.attach('two');
  });

  test('a cursor of another session is an error', async () => {
    const after = new ScriptedLog('two').cursorOf(1);
    await expect(kit.client.attach('one', { after })).rejects.toMatchObject({ code: -32602 });
  });

  test('twice is an error, unless with a connection of its own', async () => {
    await kit.client.attach('one');
    await expect(kit.client.attach('one')).rejects.toMatchObject({ code: 'already_attached' });
    const own = await kit.client.attach('one', { dedicated: true });
    expect(kit.server.connections).toHaveLength(2);
    await own.close();
    await kit.server.connections[1]?.peer.closed;
  });

  test('waits for the connection, for as long as calls may take', async () => {
    const server = new LogServer();
    server.refusals.push(...Array<Error>(99).fill(new Error('away')));
    const slow = createClientKit({}, server);
    const attaching = slow.client.attach('one');
    attaching.catch(() => undefined);
    for (let n = 0; n < 60; n++) {
      slow.clock.advance(1000);
      await settled();
    }
    await expect(attaching).rejects.toMatchObject({ code: 'timeout' });
    await slow.client.close();
    expect(slow.clock.timerCount).toBe(0);
  });

  test('can be given up', async () => {
    const abort = new AbortController();
    kit.server.answers.set('_signalbox/session/attach', () => new Promise(() => undefined));
    const attaching = kit.client.attach('one', { signal: abort.signal });
    await kit.server.whenHeard(ATTACH);
    abort.abort();
    await expect(attaching).rejects.toMatchObject({ code: 'aborted' });
  });

  test('fails when the client was closed', async () => {
    await kit.client.close();
    await expect(kit.client.attach('one')).rejects.toMatchObject({ code: 'closed' });
    const own = kit.client.attach('one', { dedicated: true });
    await expect(own).rejects.toMatchObject({ code: 'closed' });
  });

  test.for([
    ['no role', { agent: 'a', cwd: '/' }],
    ['no snapshot', { role: 'driver', agent: 'a', cwd: '/' }],
    [
      'a snapshot that cannot be read',
      { role: 'driver', agent: 'a', cwd: '/', snapshot: { cursor: 'c', transcript: {} } },
    ],
  ] as const)('fails when the answer has %s', async ([_, answer]) => {
    kit.server.answers.set('_signalbox/session/attach', () => answer);
    const attaching = kit.client.attach('one');
    await expect(attaching).rejects.toMatchObject({ code: 'invalid_response' });
  });
});

describe('two sessions', () => {
  test('of one client do not hear of each other', async () => {
    const other = kit.server.add(new ScriptedLog('two', talk(3)));
    const second = new Recorder();
    const [one, two] = await Promise.all([
      kit.client.attach('one', { after: 'start', onEvent: heard.onEvent }),
      kit.client.attach('two', { after: 'start', onEvent: second.onEvent }),
    ]);
    await Promise.all([heard.when('caught_up'), second.when('caught_up')]);
    log.append(...more(8, 2));
    other.append(...more(3, 1));
    kit.server.connection.break();
    await Promise.all([heard.when('detached'), second.when('detached')]);
    await Promise.all([heard.whenAt(one, 10), second.whenAt(two, 4)]);
    expect(heard.seqs).toEqual(upTo(10));
    expect(second.seqs).toEqual(upTo(4));
    expect(kit.server.connections).toHaveLength(2);
  });
});

interface TextUpdate {
  readonly content: { readonly text: string };
}
