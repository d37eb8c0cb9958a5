import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  CoreError,
  createMemoryJournal,
  toCursor,
  type Journal,
  type SessionId,
} from '@signalbox/core';
import { SimulatedClock } from '@signalbox/host';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Editor } from '../serving/editor.ts';
import { say, script } from '../serving/stage.ts';
import { codeOf, SOON } from './ask.ts';
import { Box } from './box.ts';
import { EventStream } from './event-stream.ts';

let clock: SimulatedClock;
let box: Box;
let headers: { authorization: string };
let editor: Editor;
let sessionId: SessionId;

beforeEach(async () => {
  clock = new SimulatedClock();
  box = await Box.open({ clock });
  headers = await box.token('observer');
  editor = await box.stage.connect();
  sessionId = (await editor.newSession(box.stage.folder)) as SessionId;
});

function urlOf(query = ''): string {
  return box.url(`/v1/sessions/${sessionId}/events${query}`);
}

function open(query = '', more: Record<string, string> = {}): Promise<EventStream> {
  return EventStream.open(urlOf(query), { ...headers, ...more });
}

async function headSeq(): Promise<number> {
  return (await box.journal.head(sessionId)).seq;
}

function upTo(last: number, first = 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe('an event stream', () => {
  it('has the headers that keep it from being held back', async () => {
    const stream = await open('', { 'accept-encoding': 'gzip, br' });
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers['content-encoding']).toBeUndefined();
    stream.close();
  });

  it('begins with an id and no event, sends the log, says that it has caught up, and goes on', async () => {
    await editor.prompt(sessionId, script(say('one')));
    const head = await headSeq();
    const stream = await open();
    await stream.until(() => stream.count('caught_up') === 1);
    expect(stream.text).toMatch(`retry: 2000\n\nid: ${toCursor(sessionId, 0)}\n\nid: `);
    expect(stream.seqs).toEqual(upTo(head));
    expect(stream.events.at(-1)).toMatchObject({
      event: 'caught_up',
      data: JSON.stringify({ cursor: toCursor(sessionId, head) }),
    });
    await editor.prompt(sessionId, script(say('two')));
    const newHead = await headSeq();
    await stream.until(() => stream.seqs.at(-1) === newHead);
    expect(stream.seqs).toEqual(upTo(newHead));
    expect(stream.count('caught_up')).toBe(1);
    expect(stream.lastId).toBe(toCursor(sessionId, newHead));
    stream.close();
  });

  it('goes on behind a cursor in the URL, and rather behind the one in the header', async () => {
    await editor.prompt(sessionId, script(say('one')));
    const head = await headSeq();
    const byQuery = await open(`?after=${toCursor(sessionId, 2)}`);
    await byQuery.until(() => byQuery.count('caught_up') === 1);
    expect(byQuery.seqs).toEqual(upTo(head, 3));
    const byHeader = await open(`?after=${toCursor(sessionId, 2)}`, {
      'last-event-id': toCursor(sessionId, head - 1),
    });
    await byHeader.until(() => byHeader.count('caught_up') === 1);
    expect(byHeader.seqs).toEqual([head]);
    byQuery.close();
    byHeader.close();
  });

  it('can be resumed when it was lost before the first event', async () => {
    const before = await headSeq();
    const stream = await open(`?after=${toCursor(sessionId, before)}`);
    await stream.until(() => stream.lastId !== '');
    stream.close();
    await editor.prompt(sessionId, script(say('meanwhile')));
    const again = await open('', { 'last-event-id': stream.lastId });
    await again.until(() => again.count('caught_up') === 1);
    expect(again.seqs).toEqual(upTo(await headSeq(), before + 1));
    again.close();
  });

  it('loses and repeats nothing, however often it is cut', async () => {
    const steps = Array.from({ length: 300 }, (_, index) => say(String(index)));
    const prompt = editor.prompt(sessionId, script(...steps));
    const seqs: number[] = [];
    let lastId = '';
    for (let cut = 0; cut < 40; cut++) {
      const stream = await open('', lastId === '' ? {} : { 'last-event-id': lastId });
      const wanted = 1 + (cut % 9);
      await stream.until(() => stream.seqs.length >= wanted || stream.count('caught_up') === 1);
      stream.close();
      seqs.push(...stream.seqs);
      ({ lastId } = stream);
    }
    await prompt;
    const head = await headSeq();
    const rest = await open('', { 'last-event-id': lastId });
    await rest.until(() => rest.count('caught_up') === 1);
    expect([...seqs, ...rest.seqs]).toEqual(upTo(head));
    rest.close();
  });

  it('is refused behind what is no cursor of its session', async () => {
    const other = (await editor.newSession(box.stage.folder)) as SessionId;
    for (const id of ['abc', '1000000000', '-1', toCursor(other, 1)]) {
      const answer = await box.ask(`/v1/sessions/${sessionId}/events`, {
        headers: { ...headers, accept: 'text/event-stream', 'last-event-id': id },
      });
      expect([id, answer.status]).toEqual([id, 400]);
      expect(codeOf(answer)).toMatch(/^cursor_(malformed|foreign)$/);
    }
  });

  it('tells of a gap behind the end of the log, and begins anew', async () => {
    const stream = await open(`?after=${toCursor(sessionId, 999)}`);
    await stream.until(() => stream.count('caught_up') === 1);
    expect(stream.events[0]).toMatchObject({ event: 'gap', data: '{"reason":"future"}' });
    expect(stream.seqs).toEqual(upTo(await headSeq()));
    stream.close();
  });

  it('says now and then that it lives, without an id', async () => {
    const stream = await open();
    await stream.until(() => stream.count('caught_up') === 1);
    const { lastId } = stream;
    const timers = clock.timerCount;
    clock.advance(15_000);
    await stream.until(() => stream.comments.length === 1);
    await expect.poll(() => clock.timerCount, SOON).toBe(timers);
    clock.advance(15_000);
    await stream.until(() => stream.comments.length === 2);
    expect(stream.lastId).toBe(lastId);
    stream.close();
  });

  it('ends when its session is deleted', async () => {
    const stream = await open();
    await stream.until(() => stream.count('caught_up') === 1);
    await box.stage.host.deleteSession(sessionId);
    clock.advance(15_000);
    await stream.whenClosed();
    expect(stream.events.at(-1)).toMatchObject({ event: 'ended', data: '{"reason":"deleted"}' });
    expect(stream.count('ended')).toBe(1);
    // An EventSource comes back by itself, and gives up at anything but a stream.
    const again = await open('', { 'last-event-id': stream.lastId });
    expect(again.status).toBe(404);
    await again.whenClosed();
  });

  it('ends, and says so, when the log cannot be read', async () => {
    const journal = createMemoryJournal();
    let isBroken = false;
    const broken: Journal = {
      ...journal,
      read: (...args) =>
        isBroken
          ? Promise.reject(new CoreError('journal_corrupt', 'a page is damaged'))
          : journal.read(...args),
    };
    const other = await Box.open({ clock, stage: { journal: broken } });
    const client = await other.stage.connect();
    const id = await client.newSession(other.stage.folder);
    const url = other.url(`/v1/sessions/${id}/events`);
    const stream = await EventStream.open(url, await other.token());
    await stream.until(() => stream.count('caught_up') === 1);
    isBroken = true;
    // More than what is kept of a log in memory.
    client.prompt(id, script(say('one '.repeat(1_200_000)))).catch(() => undefined);
    await stream.whenClosed();
    expect(stream.events.at(-1)).toMatchObject({ event: 'ended', data: '{"reason":"failed"}' });
    const page = await other.ask(`/v1/sessions/${id}/events`, { headers: await other.token() });
    expect([page.status, codeOf(page)]).toEqual([503, 'journal_failed']);
    isBroken = false;
  });

  it('is one of so many', async () => {
    const small = await Box.open({ limits: { eventStreamsMax: 1 } });
    const { host, folder } = small.stage;
    const { id } = await host.createSession({ agent: 'scripted', cwd: folder });
    const path = `/v1/sessions/${id}/events`;
    const token = await small.token();
    const stream = await EventStream.open(small.url(path), token);
    const accept = 'text/event-stream';
    const answer = await small.ask(path, { headers: { ...token, accept } });
    expect([answer.status, codeOf(answer)]).toEqual([503, 'too_many_streams']);
    const poll = await small.ask(`${path}?wait=1`, { headers: token });
    expect(codeOf(poll)).toBe('too_many_streams');
    stream.close();
    await expect
      .poll(async () => {
        const again = await EventStream.open(small.url(path), token);
        again.close();
        return again.status;
      }, SOON)
      .toBe(200);
  });
});

it('one token has no more event streams than one may have, and leaves room for others', async () => {
  const box = await Box.open({ limits: { eventStreamsEachMax: 1 } });
  const { host, folder } = box.stage;
  const { id } = await host.createSession({ agent: 'scripted', cwd: folder });
  const path = `/v1/sessions/${id}/events`;
  const token = await box.token();
  const own = await EventStream.open(box.url(path), token);
  const refused = await box.ask(`${path}?wait=1`, { headers: token });
  expect([refused.status, codeOf(refused)]).toEqual([429, 'too_many_streams']);
  const others = await EventStream.open(box.url(path), await box.token());
  expect(others.status).toBe(200);
  own.close();
  others.close();
});

describe('a reader that takes nothing', () => {
  it('does not hold a stream that is to end', async () => {
    const large = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 16; count++) await editor.prompt(sessionId, script(say(large)));
    const before = clock.timerCount;
    const { credentials } = box.server;
    const { secret, credential } = await credentials.createToken({ name: 'x', role: 'observer' });
    headers = { authorization: `Bearer ${secret}` };
    const slow = await stall();
    await expect.poll(() => clock.timerCount, SOON).toBeGreaterThan(before + 1);
    await credentials.revoke(credential.id);
    await expect
      .poll(() => box.logged.filter(({ reason }) => reason === 'revoked'), SOON)
      .toHaveLength(1);
    expect(slow.closed).toBe(false);
    clock.advance(30_000);
    slow.resume();
    await once(slow, 'close');
  });

  /** A reader whose socket is never read. */
  async function stall(): Promise<Socket> {
    const socket = connect(box.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      `GET /v1/sessions/${sessionId}/events HTTP/1.1\r\nHost: localhost:${box.port}\r\n` +
        `Accept: text/event-stream\r\nAuthorization: ${headers.authorization}\r\n\r\n`,
    );
    return socket;
  }

  it('is disconnected after half a minute, slows nobody, and is counted', async () => {
    const large = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 16; count++) await editor.prompt(sessionId, script(say(large)));
    const before = clock.timerCount;
    const slow = await stall();
    // The timer that gives up on it, and the one that looks at its token.
    await expect.poll(() => clock.timerCount, SOON).toBeGreaterThan(before + 1);
    const healthy = await open();
    await healthy.until(() => healthy.count('caught_up') === 1);
    expect(healthy.seqs).toEqual(upTo(await headSeq()));
    clock.advance(29_999);
    expect(slow.closed).toBe(false);
    clock.advance(1);
    await expect
      .poll(() => box.logged.filter(({ reason }) => reason === 'slow'), SOON)
      .toEqual([expect.objectContaining({ sessionId, principal: 'test observer' })]);
    slow.resume();
    await once(slow, 'close');
    // No timer of its is left.
    await expect.poll(() => clock.timerCount, SOON).toBeLessThanOrEqual(before + 2);
    const { text } = await box.ask('/metrics', { headers });
    expect(text).toContain('signalbox_evictions_total{reason="slow"} 1');
    expect(text).toContain('signalbox_event_streams_open 1');
    healthy.close();
  });
});
