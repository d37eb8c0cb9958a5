import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { toStoredEvent, toTranscript, type ToolCallEntry, type Transcript } from '@signalbox/core';
import { expect, test } from 'vitest';
import { QUIRKS, type Quirk } from '../../packages/host/src/agents/quirks.ts';
import type { Session } from '../../packages/host/src/index.ts';
import {
  command,
  Harness,
  ME,
  textsOf,
  untilEvent,
  untilSaid,
  type HarnessOptions,
} from './harness.ts';

const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };
const CANCELLED = { kind: 'stopped', stopReason: 'cancelled' };

/** A prompt for the scripted agent: updates, then an answer if it is not end_turn. */
function updates(...list: object[]): object[] {
  return list.map((update) => ({ update: JSON.stringify(update) }));
}

function call(members: object): object {
  return { sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'Run', ...members };
}

function news(members: object): object {
  return { sessionUpdate: 'tool_call_update', toolCallId: 'call-1', ...members };
}

/** Runs prompts of an agent; gives what it came to. */
async function run(agent: string, prompts: string[], options: HarnessOptions = {}) {
  const harness = await Harness.open(options);
  const session = await harness.create(agent, { policyLevel: 'allow' });
  const ends = [];
  for (const prompt of prompts) ends.push((await session.prompt(command(prompt))).end);
  return { harness, session, ends, transcript: await transcriptOf(harness, session) };
}

function runScripted(...turns: object[][]) {
  return run(
    'scripted',
    turns.map((steps) => JSON.stringify(steps)),
  );
}

async function transcriptOf(harness: Harness, session: Session): Promise<Transcript> {
  return toTranscript((await harness.journal.read(session.id, 0, Infinity)).map(toStoredEvent));
}

function callsOf({ entries }: Transcript): ToolCallEntry[] {
  return entries.filter((entry): entry is ToolCallEntry => entry.kind === 'tool_call');
}

/** A session whose agent is started anew between two prompts. */
async function runAgain(way: string, quirks: readonly Quirk[]) {
  const harness = await Harness.open({ entry: { env: { WAY: way }, quirks } });
  const session = await harness.create('restores-oddly');
  await session.prompt(command('first'));
  await session.endAgent();
  expect((await session.prompt(command('second'))).end).toEqual(END_TURN);
  const started = await harness.eventsOf(session, 'agent.started');
  const texts = textsOf(await harness.events(session));
  return { restoredBy: started.at(-1)?.data.restoredBy, texts };
}

/** Shows for every quirk that the host copes with an agent that has it. */
const PROOFS: Readonly<Record<Quirk, () => Promise<void>>> = {
  'asks-nobody-by-default': async () => {
    const { ends, transcript } = await runScripted(updates(call({ status: 'completed' })));
    expect(ends).toEqual([END_TURN]);
    expect(callsOf(transcript)).toMatchObject([{ title: 'Run', status: 'completed' }]);
  },

  'calls-write-without-capability': async () => {
    const harness = await Harness.open();
    const session = await harness.create('uses-client');
    const path = join(realpathSync(harness.folder), 'file');
    const calls = [['fs/write_text_file', { path, content: 'text' }]];
    expect((await session.prompt(command(JSON.stringify(calls)))).end).toEqual(END_TURN);
    expect(readFileSync(path, 'utf8')).toBe('text');
  },

  'cancelled-without-cancel': async () => {
    const ask = { toolCall: { toolCallId: 'call-1', title: 'Run' }, options: [] };
    const steps = [{ ask }, { answer: { stopReason: 'cancelled' } }];
    const harness = await Harness.open();
    const session = await harness.create('scripted', { policyLevel: 'deny' });
    const { end } = await session.prompt(command(JSON.stringify(steps)));
    expect(end).toEqual(CANCELLED);
    expect(await harness.eventsOf(session, 'turn.cancel_requested')).toEqual([]);
    expect(await harness.eventsOf(session, 'permission.resolved')).toHaveLength(1);
  },

  'detached-daemon': async () => {
    // The harness fails when a process of the session is left, in the agent's group or outside of it.
    const { harness, session } = await run('leaves-children', ['x']);
    await harness.host.closeSession(session.id);
  },

  'errors-as-text': async () => {
    const text = { type: 'text', text: 'API error 400' };
    const chunk = { sessionUpdate: 'agent_message_chunk', content: text };
    const { harness, session, ends } = await runScripted(updates(chunk), []);
    expect(ends).toEqual([END_TURN, END_TURN]);
    expect(textsOf(await harness.events(session))).toEqual(['API error 400']);
  },

  'extension-methods-without-underscore': async () => {
    const { harness, session, ends } = await run('own-methods', ['x']);
    expect(ends).toEqual([END_TURN]);
    expect(textsOf(await harness.events(session))).toEqual(['answered with -32601']);
    // Nothing is written back for the notification (B10).
    expect(harness.said('out').slice(3)).toEqual([expect.stringContaining('-32601')]);
  },

  'first-call-by-permission': async () => {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const ask = { toolCall: { toolCallId: 'call-1', title: 'Run', kind: 'execute' }, options };
    const steps = [{ ask }, ...updates(news({ status: 'completed' }))];
    const { transcript } = await runScripted(steps);
    expect(callsOf(transcript)).toMatchObject([
      { title: 'Run', toolKind: 'execute', status: 'completed' },
    ]);
  },

  'http-error-codes': async () => {
    const error = { code: 400, message: '{"error":{"code":400}}' };
    const { ends } = await runScripted([{ answer: { error } }], []);
    expect(ends[0]).toMatchObject({ kind: 'failed', failure: 'agent_error', code: 400 });
    expect(ends[0]).toHaveProperty('message', expect.stringContaining('"code":400'));
    expect(ends[1]).toEqual(END_TURN);
  },

  'keeps-running-after-eof': async () => {
    const { harness, session } = await run('stops-reading', ['x']);
    await harness.host.closeSession(session.id);
    const [exited] = await harness.eventsOf(session, 'agent.exited');
    expect(exited?.data).toMatchObject({ signal: 'SIGTERM', isExpected: true });
  },

  'large-lines': async () => {
    const description = 'x'.repeat(2 * 1024 * 1024);
    const availableCommands = [{ name: 'skill', description }];
    const update = { sessionUpdate: 'available_commands_update', availableCommands };
    const { ends, transcript } = await runScripted(updates(update));
    expect(ends).toEqual([END_TURN]);
    expect(transcript.commands).toEqual(availableCommands);
  },

  'load-wipes-fresh-session': async () => {
    const { restoredBy, texts } = await runAgain('lost', ['load-wipes-fresh-session']);
    expect(restoredBy).toBe('transcript');
    expect(texts).toEqual(['got 1 blocks', 'got 2 blocks']);
  },

  'loads-unknown-sessions': async () => {
    // Nothing in its answer tells that it does not know the session; that it replays nothing does.
    const { restoredBy, texts } = await runAgain('unknown', ['loads-unknown-sessions']);
    expect(restoredBy).toBe('transcript');
    expect(texts).toEqual(['got 1 blocks', 'got 2 blocks']);
  },

  'missing-file-reads-empty': async () => {
    const told = [];
    for (const quirks of [[], ['missing-file-reads-empty']] as const) {
      const harness = await Harness.open({ entry: { quirks } });
      const session = await harness.create('reads-before-writing');
      const path = join(realpathSync(harness.folder), 'new.txt');
      await session.prompt(command(path));
      told.push([...textsOf(await harness.events(session)), existsSync(path)]);
    }
    expect(told).toEqual([
      ['gave up: -32002', false],
      ['created', true],
    ]);
  },

  'never-ends-tool-calls': async () => {
    const { transcript } = await runScripted(updates(call({ status: 'in_progress' })));
    expect(callsOf(transcript)).toMatchObject([
      { status: 'interrupted', interruption: 'turn_ended' },
    ]);
  },

  'no-cancelled-stop-reason': async () => {
    const harness = await Harness.open();
    const session = await harness.create('cancels-oddly');
    const outcome = session.prompt(command('x'));
    await untilSaid(session, 'started');
    session.cancel(ME);
    expect((await outcome).end).toEqual(END_TURN);
    expect(await harness.eventsOf(session, 'turn.cancel_requested')).toHaveLength(1);
  },

  'no-overlapping-prompts': async () => {
    const harness = await Harness.open();
    const session = await harness.create('one-turn-at-a-time');
    await Promise.all(['a', 'b'].map((text) => session.prompt(command(text))));
    const texts = textsOf(await harness.events(session));
    expect(texts).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  },

  'own-terminals': async () => {
    const content = [{ type: 'terminal', terminalId: 'not-ours' }];
    const { ends, transcript } = await runScripted(updates(call({ status: 'completed', content })));
    expect(ends).toEqual([END_TURN]);
    expect(callsOf(transcript)).toMatchObject([{ status: 'completed', content }]);
    expect(transcript.terminals.size).toBe(0);
  },

  'relative-diff-paths': async () => {
    const content = [{ type: 'diff', path: 'hello.txt', oldText: 'a', newText: 'b' }];
    const { harness, transcript } = await runScripted(updates(call({ content })));
    expect(callsOf(transcript)).toMatchObject([{ content }]);
    expect(existsSync(join(harness.folder, 'hello.txt'))).toBe(false);
  },

  'replays-after-load': async () => {
    const { restoredBy, texts } = await runAgain('late', ['replays-after-load']);
    expect(restoredBy).toBe('load');
    expect(texts).toEqual(['got 1 blocks', 'got 1 blocks']);
  },

  'resume-advertised-but-missing': async () => {
    const entry = { env: { CAN: 'lies,load' } };
    const harness = await Harness.open({ entry });
    const session = await harness.create('remembers');
    await session.prompt(command('first'));
    await session.endAgent();
    await session.prompt(command('second'));
    const started = await harness.eventsOf(session, 'agent.started');
    expect(started.map(({ data }) => data.restoredBy)).toEqual(['new', 'load']);
  },

  'reuses-tool-call-ids': async () => {
    const steps = updates(call({ status: 'completed' }));
    const { transcript } = await runScripted(steps, steps);
    expect(new Set(callsOf(transcript).map(({ turnId }) => turnId)).size).toBe(2);
  },

  'shell-line-terminals': async () => {
    const harness = await Harness.open();
    const session = await harness.create('uses-client');
    const calls = [
      ['terminal/create', { command: 'echo one; pwd' }],
      ['terminal/wait_for_exit', { terminalId: '$terminal' }],
      ['terminal/output', { terminalId: '$terminal' }],
    ];
    await session.prompt(command(JSON.stringify(calls)));
    const output = textsOf(await harness.events(session)).at(-1) ?? '';
    const text = `one\n${realpathSync(harness.folder)}\n`;
    expect(JSON.parse(output)).toMatchObject({ output: text });
  },

  'swallows-prompt-after-cancel': async () => {
    const harness = await Harness.open();
    const session = await harness.create('cancels-oddly');
    const outcome = session.prompt(command('x'));
    await untilSaid(session, 'started');
    session.cancel(ME);
    await outcome;
    expect((await session.prompt(command('swallowed'))).end).toEqual(END_TURN);
    const again = session.prompt(command('again'));
    await untilEvent(session, 'update', () => session.state.turnCount === 3);
    session.cancel(ME);
    expect((await again).end).toEqual(END_TURN);
    expect(textsOf(await harness.events(session))).toEqual(['started', 'started']);
  },

  'tool-update-before-tool-call': async () => {
    const { transcript } = await runScripted(
      updates(
        news({ status: 'in_progress' }),
        call({ status: 'pending' }),
        call({ kind: 'execute' }),
        news({ status: 'completed' }),
      ),
    );
    expect(callsOf(transcript)).toMatchObject([
      { title: 'Run', toolKind: 'execute', status: 'completed' },
    ]);
  },

  'updates-before-session-response': async () => {
    const { harness, session } = await run('early-updates', ['x']);
    const texts = textsOf(await harness.events(session));
    expect(texts).toEqual(['before', 'same write', 'right behind']);
  },
};

test.for(Object.keys(QUIRKS) as Quirk[])('the host copes with an agent that has: %s', (quirk) =>
  PROOFS[quirk](),
);
