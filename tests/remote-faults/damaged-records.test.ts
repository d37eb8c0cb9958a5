import { createMemoryJournal, type Journal, type SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../serving/editor.ts';
import { say, script, Stage } from '../serving/stage.ts';

/** A journal from which some events come as something else than they were written. */
function damaged(journal: Journal, isDamaged: (stream: string, seq: number) => boolean): Journal {
  return {
    ...journal,
    read: async (stream, afterSeq, limit) =>
      (await journal.read(stream, afterSeq, limit)).map((entry) =>
        isDamaged(stream, entry.seq) ? { ...entry, body: 'no event' } : entry,
      ),
  };
}

async function overwrite(journal: Journal, key: string): Promise<void> {
  const record = await journal.records.get(key);
  await journal.records.put(key, 'junk', record?.revision ?? 0);
}

/** Sessions with a turn each that nobody has open. */
async function closedSessions(stage: Stage, count: number): Promise<string[]> {
  const editor = await stage.connect();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, script(say(`hello ${n}`)));
    await editor.connection.request('session/close', { sessionId });
    ids.push(sessionId);
  }
  await editor.server.close();
  return ids;
}

describe('a session whose log is damaged', () => {
  it.for([1, 4])('at event %i says so, stops no other one, and can be deleted', async (seq) => {
    const journal = createMemoryJournal();
    let bad = '';
    const stage = await Stage.open({
      journal: damaged(journal, (stream, at) => stream === bad && at === seq),
    });
    const [first = '', other = ''] = await closedSessions(stage, 2);
    bad = first;
    // What is remembered of it besides the log would hide the damage.
    await journal.putSnapshot(bad, { seq: 1, format: 'other', state: '' });
    const editor = await stage.connect();
    expect(await errorOf(editor.load(bad, stage.folder))).toMatchObject({
      code: -32603,
      message: expect.stringContaining('journal_corrupt') as string,
      data: { failure: 'journal_failed', sessionId: bad },
    });
    await editor.load(other, stage.folder);
    expect(editor.said).toContain('hello 1');
    await editor.connection.request('session/delete', { sessionId: bad });
    expect(await stage.sessionIds()).toEqual([other]);
  });
});

describe('a fault of the host itself', () => {
  it('is told to the log, and to the client without its words', async () => {
    const journal = createMemoryJournal();
    let fails = false;
    const failing = damaged(journal, () => {
      if (fails) throw new TypeError('a fault in the store');
      return false;
    });
    const stage = await Stage.open({ journal: failing });
    const [sessionId = ''] = await closedSessions(stage, 1);
    const editor = await stage.connect();
    fails = true;
    expect(await errorOf(editor.load(sessionId, stage.folder))).toMatchObject({
      code: -32603,
      message: 'Internal error',
    });
    expect(stage.logged.join('\n')).toContain(
      'session/load failed: TypeError: a fault in the store',
    );
    fails = false;
  });
});

describe('a damaged line of the list of sessions', () => {
  it('hides no other line, and is mended when its session is opened (B125)', async () => {
    const stage = await Stage.open();
    const [bad = '', other = ''] = await closedSessions(stage, 2);
    await overwrite(stage.journal, `session/${bad}`);
    const statuses = async (): Promise<unknown[]> =>
      (await stage.host.listSessions({ limit: 9 }))
        .map(({ sessionId, status }) => [sessionId, status])
        .sort();
    expect(await statuses()).toEqual(
      [
        [bad, 'unreadable'],
        [other, 'end_turn'],
      ].sort(),
    );
    await stage.host.openSession(bad as SessionId);
    expect(await statuses()).toContainEqual([bad, 'end_turn']);
  });

  it('does not keep its session from being deleted', async () => {
    const stage = await Stage.open();
    const [bad = '', other = ''] = await closedSessions(stage, 2);
    await overwrite(stage.journal, `session/${bad}`);
    await stage.host.deleteSession(bad as SessionId);
    expect(await stage.sessionIds()).toEqual([other]);
  });
});

describe('what an agent was to be given', () => {
  it('is asked for anew when it cannot be read', async () => {
    const stage = await Stage.open();
    const [sessionId = ''] = await closedSessions(stage, 1);
    await overwrite(stage.journal, `setup/${sessionId}`);
    const editor = await stage.connect();
    const resumed = { sessionId, cwd: stage.folder };
    await editor.connection.request('session/resume', { ...resumed, mcpServers: [] });
    await editor.prompt(sessionId, script(say('fine')));
    expect(editor.said).toContain('fine');
  });
});
