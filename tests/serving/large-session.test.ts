import {
  decodeTranscript,
  foldTranscript,
  referenceBlockOf,
  refOf,
  type ContentRef,
  type Transcript,
} from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../support/transcript/show.ts';
import { Follower } from './follower.ts';
import { ask, say, script, Stage, update } from './stage.ts';

const MIB = 1024 * 1024;

/** A session whose agent does this, in a turn that ends unless something waits. */
async function begin(...steps: object[]) {
  const stage = await Stage.open();
  const driver = await Follower.connect(stage);
  const params = { cwd: stage.folder, mcpServers: [] };
  const { sessionId } = await driver.call<{ sessionId: string }>('session/new', params);
  await driver.attach(sessionId, { after: 'start' });
  const prompt = [{ type: 'text', text: script(...steps) }];
  const ended = driver.call('session/prompt', { sessionId, prompt });
  return { stage, driver, sessionId, ended };
}

/** What a client is given that attaches, and how long it is. */
async function attach(stage: Stage, sessionId: string, params: object = {}) {
  const follower = await Follower.connect(stage);
  const answer = await follower.attach(sessionId, params);
  const { transcript } = answer['snapshot'] as { transcript: unknown };
  const length = JSON.stringify(answer).length;
  return { follower, view: decodeTranscript(transcript), length };
}

async function read(follower: Follower, sessionId: string, ref: ContentRef | undefined) {
  const { seq, pointer } = ref ?? {};
  const params = { sessionId, seq, pointer, offset: 0 };
  const { text, isLast, digest } = await follower.call('_signalbox/content/read', params);
  expect({ isLast, digest }).toEqual({ isLast: true, digest: ref?.digest });
  return text as string;
}

function textOf(view: Transcript): string {
  const blocks = entriesOf(view, 'agent_message').flatMap((entry) => entry.blocks);
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

describe('a client that attaches to a session with very long texts', () => {
  it('is given their ends and how much is missing, and goes on from there', async () => {
    const piece = 'né😀 '.repeat(10_000);
    const output = {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'Run',
      status: 'completed',
    };
    const steps = [
      update({ ...output, rawOutput: { text: piece.repeat(20) } }),
      ...Array.from({ length: 20 }, () => say(piece)),
      ask(),
      say('the end'),
    ];
    const { stage, driver, sessionId, ended } = await begin(...steps);
    await driver.until(() => driver.types.includes('permission.requested'));
    const { follower, view, length } = await attach(stage, sessionId);
    // The prompt, which is the script, the output and the message have more than a mebibyte each.
    expect(length).toBeLessThan(MIB);
    const [call] = entriesOf(view, 'tool_call');
    expect(call?.cut?.rawOutput?.bytes).toBeGreaterThan(MIB);
    const [message] = entriesOf(view, 'agent_message');
    const said = piece.repeat(20);
    const shown = textOf(view);
    expect(said.endsWith(shown)).toBe(true);
    const missing = Buffer.byteLength(said) - Buffer.byteLength(shown);
    expect(message?.cut).toEqual({ blocks: { bytes: missing, items: 0 } });
    const { permissionId } = entriesOf(view, 'permission')[0] ?? {};
    const answer = { sessionId, permissionId, optionId: 'yes' };
    await driver.call('_signalbox/session/answer_permission', answer);
    await ended;
    await follower.until(() => follower.types.includes('turn.finished'));
    for (const event of follower.events) foldTranscript(view, event);
    // The agent says what it was answered, too.
    const after = textOf(view).slice(shown.length);
    expect(textOf(view).startsWith(shown)).toBe(true);
    expect(after).toBe('{"outcome":"selected","optionId":"yes"}the end');
    expect(view.turn.kind).toBe('idle');
  });

  it('is given strings by reference where they are in one event, and marks elsewhere', async () => {
    const inlineBytesMax = 4096;
    const command = `echo ${'long '.repeat(2000)}`;
    const { stage, driver, sessionId } = await begin(
      update({ sessionUpdate: 'quantum_update', state: { text: command } }),
      ...Array.from({ length: 100 }, (_, n) => say(`${n} `.padEnd(100))),
      update({
        ...{ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Run', status: 'pending' },
        rawInput: { command },
      }),
      ask('c1'),
    );
    await driver.until(() => driver.types.includes('permission.requested'));
    const { follower, view } = await attach(stage, sessionId, { inlineBytesMax });
    const [prompt] = entriesOf(view, 'user_message');
    const [unknown] = entriesOf(view, 'unknown_update');
    const [asked] = entriesOf(view, 'permission');
    const block = prompt?.blocks[0];
    const refs = [
      refOf(block && referenceBlockOf(block)?.of['text']),
      refOf((unknown?.raw.value as { state: { text: unknown } }).state.text),
      refOf((asked?.action.rawInput?.value as { command: unknown }).command),
    ];
    const texts: string[] = [];
    for (const ref of refs) texts.push(await read(follower, sessionId, ref));
    expect(texts[0]).toContain('quantum_update');
    expect(texts.slice(1)).toEqual([command, command]);
    const [message] = entriesOf(view, 'agent_message');
    expect(textOf(view)).toHaveLength(inlineBytesMax);
    expect(message?.cut).toEqual({ blocks: { bytes: 10_000 - inlineBytesMax, items: 0 } });
    // The log has the rest, in the events that the entry was made of.
    const events = await stage.events(sessionId);
    const { firstSeq = 0, lastSeq } = message ?? {};
    expect(events.slice(firstSeq - 1, lastSeq).map(({ type }) => type)).toEqual(
      Array.from({ length: 100 }, () => 'update'),
    );
    const { permissionId } = asked ?? {};
    const answer = { sessionId, permissionId, optionId: 'no' };
    await driver.call('_signalbox/session/answer_permission', answer);
  });
});
