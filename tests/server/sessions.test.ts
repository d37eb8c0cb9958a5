import { toCursor, type SessionId } from '@signalbox/core';
import { SimulatedClock } from '@signalbox/host';
import { beforeEach, describe, expect, it } from 'vitest';
import { say, script } from '../serving/stage.ts';
import { codeOf, SOON, type Answer } from './ask.ts';
import { Box } from './box.ts';

interface Page {
  readonly sessionId: string;
  readonly events: readonly { seq: number; cursor: string; event: { type: string } }[];
  readonly next: string;
  readonly isAtHead: boolean;
}

let box: Box;
let headers: { authorization: string };
let clock: SimulatedClock;

beforeEach(async () => {
  clock = new SimulatedClock();
  box = await Box.open({ clock });
  headers = await box.token('observer');
});

async function get(path: string): Promise<Answer> {
  return box.ask(path, { headers });
}

async function pageOf(path: string): Promise<Page> {
  return JSON.parse((await get(path)).text) as Page;
}

/** A session in which something was said. */
async function newSession(...said: string[]): Promise<SessionId> {
  const editor = await box.stage.connect();
  const sessionId = await editor.newSession(box.stage.folder);
  for (const text of said) await editor.prompt(sessionId, script(say(text)));
  return sessionId as SessionId;
}

async function headOf(sessionId: SessionId): Promise<number> {
  return (await box.journal.head(sessionId)).seq;
}

describe('the list of sessions', () => {
  it.for(['oldest', 'newest'])(
    'comes in pages with every session once, %s first',
    async (order) => {
      const ids: string[] = [];
      for (let made = 0; made < 5; made++) {
        const { host, folder } = box.stage;
        ids.push((await host.createSession({ agent: 'scripted', cwd: folder })).id);
      }
      const listed: string[] = [];
      let next: string | undefined = '';
      while (next !== undefined) {
        const query: string = next === '' ? '' : `&after=${next}`;
        const page = JSON.parse(
          (await get(`/v1/sessions?limit=2&order=${order}${query}`)).text,
        ) as {
          sessions: { sessionId: string }[];
          next?: string;
        };
        listed.push(...page.sessions.map(({ sessionId }) => sessionId));
        next = page.next;
      }
      const byAge = ids.sort();
      const named = JSON.parse((await get(`/v1/sessions?prefix=${byAge[2]}`)).text) as object;
      expect(named).toMatchObject({ sessions: [{ sessionId: byAge[2] }] });
      expect(listed).toEqual(order === 'newest' ? byAge.toReversed() : byAge);
    },
  );

  it.for(['0', '-1', '501', 'x', '1.5'])('has no page of %s sessions', async (limit) => {
    const answer = await get(`/v1/sessions?limit=${limit}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
  });

  it('tells of one session, by its whole id', async () => {
    const sessionId = await newSession();
    const answer = await get(`/v1/sessions/${sessionId}`);
    expect(JSON.parse(answer.text)).toMatchObject({ sessionId, agent: 'scripted', status: 'new' });
    for (const id of [sessionId.slice(0, -1), `${sessionId}x`, 'x', '%20']) {
      const unknown = await get(`/v1/sessions/${id}`);
      expect([id, unknown.status, codeOf(unknown)]).toEqual([id, 404, 'session_not_found']);
    }
  });
});

describe('the log of a session', () => {
  it('comes in pages, from the start and behind a cursor', async () => {
    const sessionId = await newSession('one', 'two');
    const head = await headOf(sessionId);
    const url = `/v1/sessions/${sessionId}/events`;
    const whole = await pageOf(url);
    expect(whole.events.map(({ seq }) => seq)).toEqual(
      Array.from({ length: head }, (_, index) => index + 1),
    );
    expect(whole.events[0]?.event.type).toBe('session.created');
    expect(whole).toMatchObject({ sessionId, next: toCursor(sessionId, head), isAtHead: true });
    expect(await pageOf(`${url}?after=start`)).toEqual(whole);

    const first = await pageOf(`${url}?limit=3`);
    expect(first.events).toEqual(whole.events.slice(0, 3));
    expect(first.isAtHead).toBe(false);
    const rest = await pageOf(`${url}?after=${first.next}`);
    expect([...first.events, ...rest.events]).toEqual(whole.events);
    expect(await pageOf(`${url}?after=${rest.next}`)).toMatchObject({
      events: [],
      next: rest.next,
      isAtHead: true,
    });
  });

  it('keeps the exact text of what agents sent', async () => {
    const editor = await box.stage.connect();
    const sessionId = await editor.newSession(box.stage.folder);
    const exact = '{"sessionUpdate":"plan","entries":[],"_meta":{"big":12345678901234567890}}';
    await editor.prompt(sessionId, script({ update: exact }));
    expect((await get(`/v1/sessions/${sessionId}/events`)).text).toContain(exact);
  });

  it('is refused behind what is no cursor of it', async () => {
    const sessionId = await newSession('one');
    const other = await newSession('one');
    const url = `/v1/sessions/${sessionId}/events`;
    for (const [after, status, code] of [
      ['abc', 400, 'cursor_malformed'],
      ['', 400, 'cursor_malformed'],
      ['1000000000', 400, 'cursor_malformed'],
      ['-1', 400, 'cursor_malformed'],
      [toCursor(other, 1), 400, 'cursor_foreign'],
      [toCursor(sessionId, 999), 410, 'cursor_gap'],
    ] as const) {
      const answer = await get(`${url}?after=${after}`);
      expect([after, answer.status, codeOf(answer)]).toEqual([after, status, code]);
    }
    const unknown = await get('/v1/sessions/none/events');
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'session_not_found']);
  });

  it.for(['wait=31', 'wait=-1', 'wait=x', 'limit=0', 'limit=501'])('has no %s', async (query) => {
    const sessionId = await newSession();
    const answer = await get(`/v1/sessions/${sessionId}/events?${query}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
  });

  it('is waited for, as long as was asked', async () => {
    const sessionId = await newSession();
    const after = toCursor(sessionId, await headOf(sessionId));
    const url = `/v1/sessions/${sessionId}/events?after=${after}&wait=30`;
    const page = pageOf(url);
    await expect.poll(() => clock.timerCount, SOON).toBeGreaterThan(1);
    clock.advance(30_000);
    expect(await page).toMatchObject({ events: [], next: after, isAtHead: true });
  });

  it('is answered as soon as something comes', async () => {
    const editor = await box.stage.connect();
    const sessionId = (await editor.newSession(box.stage.folder)) as SessionId;
    const after = toCursor(sessionId, await headOf(sessionId));
    const before = clock.timerCount;
    const page = pageOf(`/v1/sessions/${sessionId}/events?after=${after}&wait=30`);
    await expect.poll(() => clock.timerCount, SOON).toBeGreaterThan(before);
    await editor.prompt(sessionId, script(say('there')));
    expect((await page).events.length).toBeGreaterThan(0);
    expect((await page).events[0]?.event.type).toBe('turn.started');
  });
});
