import { encodeTranscript, toTranscript, type TranscriptJson } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { createClientKit } from '../../../../tests/support/client/client-kit.ts';
import { LogServer } from '../../../../tests/support/client/log-server.ts';
import { ScriptedAgent, type TurnScript } from '../../../../tests/support/client/scripted-agent.ts';
import type { AttachOptions } from '../client-calls.ts';
import type { PromptEnd } from './prompt-end.ts';
import type { RemoteSessionEvent } from './session-event.ts';

const PROMPT = 'P-turn-one';

/** A turn with text in pieces, a tool, a question to the user, and more text. */
const script: TurnScript = async (write, asked) => {
  for (const piece of ['Let ', 'me ', 'see.']) await write((log) => log.say(piece));
  await write((log) => log.call('tool'));
  await write((log) => log.ask('may I', { toolCallId: 'tool' }));
  await asked('may I');
  await write((log) => log.callUpdate('tool', { status: 'completed' }));
  for (const piece of ['All ', 'is ', 'well.']) await write((log) => log.say(piece));
};

interface Outcome {
  readonly view: TranscriptJson;
  /** What the view has to be. */
  readonly expected: TranscriptJson;
  readonly end: PromptEnd;
  readonly seqs: readonly number[];
  readonly read: readonly number[];
  readonly ran: readonly string[];
  readonly frames: number;
  readonly connections: number;
}

async function run(options: AttachOptions, cuts: readonly number[]): Promise<Outcome> {
  const server = new LogServer();
  server.cutter.at = cuts;
  const agent = new ScriptedAgent(server, 'one', script);
  const kit = createClientKit({}, server);
  kit.dontWait();
  const seqs: number[] = [];
  let answering = Promise.resolve();
  const onEvent = (news: RemoteSessionEvent): void => {
    if (news.type !== 'event') return;
    seqs.push(news.seq);
    if (news.event.type !== 'permission.requested') return;
    answering = session.then((open) => open.answerPermission('may I', 'yes'));
  };
  const session = kit.client.attach('one', { ...options, onEvent });
  const open = await session;
  const read: number[] = [];
  const reading = (async () => {
    for await (const { seq } of open.events()) read.push(seq);
  })();
  const { done, accepted } = open.prompt('go', { promptId: PROMPT });
  const end = await done;
  await accepted;
  await answering;
  await open.close();
  await reading;
  const frames = server.cutter.count;
  await kit.client.close();
  expect(kit.clock.timerCount).toBe(0);
  return {
    view: encodeTranscript(open.view),
    expected: encodeTranscript(toTranscript(agent.log.stored)),
    end,
    seqs,
    read,
    ran: agent.ran,
    frames,
    connections: server.connections.length,
  };
}

describe.for([
  ['from the beginning', { after: 'start' }],
  ['from a snapshot', {}],
  ['with a connection of its own', { after: 'start', dedicated: true }],
] as const)('a session that is followed %s', ([_, options]) => {
  test('is the same whichever frame the connection breaks at', async () => {
    const uncut = await run(options, []);
    expect(uncut.view).toEqual(uncut.expected);
    expect(uncut.end).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
    expect(uncut.frames).toBeGreaterThan(15);
    let reconnected = 0;
    for (let at = 0; at < uncut.frames; at++) {
      const cut = await run(options, [at]);
      assertSame(cut, uncut, `cut at frame ${at}`);
      // From a snapshot, the events begin wherever the session is attached.
      if ('after' in options) expect(cut.seqs, `cut at frame ${at}`).toEqual(uncut.seqs);
      reconnected += cut.connections - uncut.connections;
    }
    // The last frames come when the client has got all that it wanted.
    expect(reconnected).toBeGreaterThan(uncut.frames - 5);
  });

  test('is the same when the next connection breaks too', async () => {
    const uncut = await run(options, []);
    for (let at = 0; at < uncut.frames; at++) {
      for (let next = 1; next < 12; next++) {
        const cut = await run(options, [at, at + next]);
        assertSame(cut, uncut, `cut at frames ${at} and ${at + next}`);
      }
    }
  });
});

function assertSame(cut: Outcome, uncut: Outcome, when: string): void {
  expect(cut, when).toMatchObject({ view: uncut.view, end: uncut.end, ran: [PROMPT] });
  expect(cut.expected, when).toEqual(uncut.expected);
  expect(cut.read, when).toEqual(cut.seqs);
}
