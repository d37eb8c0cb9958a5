import {
  createMemoryJournal,
  toStoredEntry,
  updateOf,
  type SessionId,
  type StoredEvent,
} from '@signalbox/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyLog } from '../../../../../tests/support/transcript/any-log.ts';
import { SessionTranscripts } from '../../hosting/session-transcripts.ts';
import { History } from './history.ts';
import { toStateUpdates } from './replay.ts';
import { readStanding, type Standing } from './standing.ts';

const id = 's' as SessionId;

/** What a client is told of it. */
function told(standing: Standing): object {
  const { seq, choices, waiting, terminals } = standing;
  return {
    seq,
    answer: choices.toResult().text,
    updates: [...toStateUpdates(standing)].map(({ text }) => text),
    // Here ids come again, which the host never lets them; their order means nothing then.
    waiting: [...waiting].map(([id, { data }]) => `${id} ${data.toolCall.text}`).sort(),
    terminals: [...terminals],
  };
}

/** The host tells of each update that does not fit the protocol. */
function diagnosed({ seq, event }: StoredEvent): StoredEvent {
  if (event.type !== 'update' || updateOf(event) !== undefined) return { seq, event };
  return { seq, event: { ...event, data: { ...event.data, problem: 'it does not fit' } } };
}

test('how a session stands is the same from a few of its events as from its whole log', async () => {
  await fc.assert(
    fc.asyncProperty(anyLog, fc.nat(), async (log, n) => {
      const stored = log.stored.map(diagnosed);
      const journal = createMemoryJournal();
      const history = new History();
      for (const event of stored) history.take(event);
      const entries = stored.map(({ seq, event }) => toStoredEntry(seq, event));
      // Read in two parts, as by somebody who has looked before.
      const cut = n % stored.length;
      const transcripts = new SessionTranscripts(journal, (_, error) => expect.fail(String(error)));
      await journal.append(id, { generation: 1, expectedSeq: 0 }, entries.slice(0, cut));
      await transcripts.read(id);
      await journal.append(id, { generation: 1, expectedSeq: cut }, entries.slice(cut));
      let readCount = 0;
      const host = {
        readOutline: () => transcripts.readOutline(id),
        readLog: (_: SessionId, afterSeq: number, limit: number) => {
          readCount++;
          return journal.read(id, afterSeq, limit);
        },
      };
      expect(told(await readStanding(host, { id }))).toEqual(told(history));
      expect(readCount).toBeLessThanOrEqual(6 + history.waiting.size);
    }),
    { numRuns: 200 },
  );
});
