import { PeerError } from '@signalbox/acp';
import { createMemoryJournal, type Journal } from '@signalbox/core';
import { expect, it } from 'vitest';
import { say, script, Stage } from '../serving/stage.ts';
import { ScriptedTransport, turn } from '../support/scripted-transport.ts';

/** A journal that gives one event at a time and counts how many it gave. */
function counting(): { journal: Journal; given: () => number } {
  const journal = createMemoryJournal();
  let count = 0;
  const read: Journal['read'] = async (stream, afterSeq) => {
    const page = await journal.read(stream, afterSeq, 1);
    count += page.length;
    return page;
  };
  return { journal: { ...journal, read }, given: () => count };
}

it('a client whose connection has failed is told no more of a log, however long the end takes', async () => {
  const { journal, given } = counting();
  const first = await Stage.open({ journal: { ...journal, close: () => Promise.resolve() } });
  const driver = await first.connect();
  const sessionId = await driver.newSession(first.folder);
  await driver.prompt(sessionId, script(...Array.from({ length: 200 }, (_, n) => say(`${n}`))));
  await first.host.close();

  // Nothing of the log is in the memory of this one.
  const stage = await Stage.open({ journal });
  const transport = new ScriptedTransport();
  const sent: string[] = [];
  let letGo: () => void = () => undefined;
  let letEnd: () => void = () => undefined;
  const served = stage.serve(
    {
      send(frame) {
        if (transport.sendFailure !== undefined) throw transport.sendFailure;
        sent.push(frame);
        // The client takes no events in.
        if (isOfEvents(frame)) return new Promise((resolve) => (letGo = resolve));
      },
      receive: () => transport.receive(),
      close: () => new Promise((resolve) => (letEnd = resolve)),
    },
    { isRemote: true },
  );
  const call = (id: number, method: string, params: object): void =>
    transport.arrive(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  call(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
  while (sent.length === 0) await turn();
  call(1, '_signalbox/session/attach', { sessionId, after: 'start' });
  while (!sent.some(isOfEvents)) await turn();

  const before = given();
  transport.sendFailure = new PeerError('closed', 'the client is slow');
  transport.fail(new Error('the client is slow'));
  letGo();
  await served.gone;
  for (let n = 0; n < 100; n++) await turn();
  expect(given()).toBeLessThanOrEqual(before + 1);
  letEnd();
  await served.closed;
});

function isOfEvents(frame: string): boolean {
  return frame.includes('_signalbox/session/events');
}
