import { createMemoryJournal, type Journal } from '@signalbox/core';
import { expect, it } from 'vitest';
import { say, script, Stage } from '../serving/stage.ts';

/** The same journal for one host after the other. */
function lasting(journal: Journal): Journal {
  return { ...journal, close: () => Promise.resolve() };
}

it('what a client of an earlier host said is told to one that has its name by now', async () => {
  const journal = lasting(createMemoryJournal());
  const before = await Stage.open({ journal });
  const driver = await before.connect({ isRemote: true, clientName: 'editor' });
  const { sessionId, _meta } = await driver.open(before.folder);
  await driver.prompt(sessionId, script(say('done')));
  await before.host.close();

  const after = await Stage.open({ journal });
  const reader = await after.connect({ isRemote: true, clientName: 'editor' });
  const lastReceivedEventId = _meta?.['acp/cursor'];
  const resume = { sessionId, lastReceivedEventId };
  await reader.connection.requestOther('session/resume', resume);
  await reader.untilSaid('done');
  expect(reader.story).toEqual([`user: ${script(say('done'))}`, 'agent: done']);
});
