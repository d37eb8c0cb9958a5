import { RawJson } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import { turnId } from '../../../../tests/support/session/inputs.ts';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import { entriesOf } from '../../../../tests/support/transcript/show.ts';
import { refOf } from '../session/content-ref.ts';
import { encodeEvent } from '../session/event-text.ts';
import { referenceBlockOf } from '../session/reference-block.ts';
import { stringAt } from '../session/string-at.ts';
import { ASKED_BYTES_MAX, boundTranscript, TEXT_BYTES_MIN } from './bound-transcript.ts';
import { foldTranscript } from './fold.ts';
import { ENTRY_BLOCKS_MAX } from './messages.ts';
import { decodeTranscript, encodeTranscript } from './transcript-codec.ts';
import type { Transcript } from './transcript.ts';
import { turnText } from './turn-text.ts';

const LIMIT = 1000;
const LONG = 'long '.repeat(1000);
const text = (value: string) => ({ type: 'text', text: value }) as const;

function bound({ transcript }: LogWriter): Transcript {
  return boundTranscript(transcript, { textBytesMax: LIMIT });
}

function sent(transcript: Transcript): Transcript {
  return decodeTranscript(JSON.parse(JSON.stringify(encodeTranscript(transcript))));
}

describe('of a long text', () => {
  test('a message has the end, whole characters, and how many bytes are missing', () => {
    const log = new LogWriter().start('T').say(`${'😀'.repeat(300)}é`);
    const [message] = entriesOf(bound(log), 'agent_message');
    expect(message?.blocks).toEqual([text(`${'😀'.repeat(249)}é`)]);
    expect(message?.cut).toEqual({ blocks: { bytes: 204, items: 0 } });
    expect(entriesOf(log.transcript, 'agent_message')[0]).not.toHaveProperty('cut');
  });

  test('a message has its newest blocks, without a gap', () => {
    const log = new LogWriter().start('T').say('first');
    log.chunk('agent_message_chunk', { type: 'image', mimeType: 'image/png', data: LONG });
    log.say('second').chunk('agent_message_chunk', { type: 'odd' }).say('third');
    const [message] = entriesOf(bound(log), 'agent_message');
    expect(message?.blocks).toEqual([text('second'), { type: 'odd' }, text('third')]);
    const image = { type: 'image', mimeType: 'image/png', data: LONG };
    const bytes = 'first'.length + JSON.stringify(image).length;
    expect(message?.cut).toEqual({ blocks: { bytes, items: 2 } });
  });

  test('a message goes on in a further entry where the whole would', () => {
    const log = new LogWriter().start('T');
    const write = (n: number) => log.chunk('agent_message_chunk', { type: 'odd', n, s: LONG });
    for (let n = 0; n < 5; n++) write(n);
    const bounded = bound(log);
    for (let n = 5; n <= ENTRY_BLOCKS_MAX; n++) write(n);
    for (const stored of log.stored) foldTranscript(bounded, stored);
    const [first, second] = entriesOf(bounded, 'agent_message');
    expect(first?.blocks.length).toBe(ENTRY_BLOCKS_MAX - 5);
    expect(second?.firstSeq).toBe(entriesOf(log.transcript, 'agent_message')[1]?.firstSeq);
  });

  test('a turn says nothing, because a part would be taken for the whole', () => {
    const log = new LogWriter().start('T').say('a').call('c').say(LONG).end();
    log.start('U').think(LONG).say('short').end();
    const bounded = bound(log);
    expect(turnText(bounded, turnId('T'))).toBe('');
    expect(turnText(bounded, turnId('U'))).toBe('short');
  });

  test('a tool call has what there is room for in each of its parts, until they are told anew', () => {
    const content = [text('a'), text(LONG)].map((one) => ({ type: 'content', content: one }));
    const log = new LogWriter().start('T');
    log.call('c', { rawInput: { small: 1 }, rawOutput: { LONG }, content });
    const bounded = bound(log);
    const [call] = entriesOf(bounded, 'tool_call');
    expect(call?.content).toEqual([{ type: 'content', content: text(LONG.slice(-LIMIT)) }]);
    expect(call?.rawInput?.text).toBe('{"small":1}');
    expect(call).not.toHaveProperty('rawOutput');
    const output = JSON.stringify({ LONG }).length;
    expect(call?.cut).toEqual({
      content: { bytes: LONG.length - LIMIT + 1, items: 1 },
      rawOutput: { bytes: output, items: 0 },
    });
    log.callUpdate('c', { rawOutput: 5 });
    for (const stored of log.stored) foldTranscript(bounded, stored);
    const [now] = entriesOf(bounded, 'tool_call');
    expect(now?.rawOutput?.text).toBe('5');
    expect(now?.cut).toEqual({ content: call?.cut?.content });
    log.callUpdate('c', { content: [] });
    for (const stored of log.stored) foldTranscript(bounded, stored);
    expect(bounded.entries).toEqual(log.transcript.entries);
  });

  test('commands, prompts that wait, notices and unknown updates have marks too', () => {
    const log = new LogWriter().queue('Q', LONG).terminal('t').terminalEnded('t', LONG);
    log.call('c', { content: [{ type: 'terminal', terminalId: 't' }] });
    log.update({ sessionUpdate: 'notice', severity: 'info', title: 'n', description: LONG });
    log.update({ sessionUpdate: 'odd', LONG });
    const { terminals, queue, entries } = bound(log);
    const cut = { bytes: LONG.length - LIMIT, items: 0 };
    const end = LONG.slice(-LIMIT);
    expect(terminals.get('t')?.exit).toMatchObject({ output: end, cut });
    expect(queue).toMatchObject([{ content: { value: [text(end)] }, cut }]);
    const raw = { bytes: JSON.stringify({ sessionUpdate: 'odd', LONG }).length, items: 0 };
    expect(entries.slice(1)).toMatchObject([
      { description: end, cut: { description: cut } },
      { raw: { text: 'null' }, cut: { raw } },
    ]);
  });

  test('a prompt has the end, and the agent may still repeat the whole of it', () => {
    const log = new LogWriter().start('T', LONG);
    const bounded = sent(bound(log));
    expect(bounded).toEqual(bound(log));
    log.echo(LONG.slice(0, 2000)).echo(LONG.slice(2000)).say('done');
    for (const stored of log.stored) foldTranscript(bounded, stored);
    expect(bounded.entries.map(({ kind }) => kind)).toEqual(['user_message', 'agent_message']);
  });

  test('there is less where much is under way, first of tool calls, and the newest has most', () => {
    const content = [{ type: 'content', content: text(LONG) }];
    const log = new LogWriter().start('T');
    for (let n = 0; n < 100; n++) log.call(`c${n}`, { content }).say(LONG);
    const { entries } = boundTranscript(log.transcript, { bytesMax: 20_000, textBytesMax: 4000 });
    expect(entries).toHaveLength(201);
    const lengths = entries.flatMap((entry) =>
      entry.kind === 'agent_message'
        ? entry.blocks.map((block) => 'text' in block && block.text.length)
        : [],
    );
    expect(lengths.slice(-3)).toEqual([4000, 4000, 4000]);
    for (const { cut } of entriesOf({ ...log.transcript, entries }, 'tool_call')) {
      expect(cut?.content?.bytes).toBe(LONG.length - TEXT_BYTES_MIN);
    }
    expect(lengths.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => TEXT_BYTES_MIN));
  });
});

describe('what a permission request is about', () => {
  const input = (length: number) => ({ command: 'x'.repeat(length) });
  const ask = (length: number) =>
    new LogWriter()
      .start('T')
      .ask('A', { toolCallId: 'c', title: 'Run', rawInput: input(length) }, undefined, {
        rawInput: new RawJson(JSON.stringify(input(length))),
      });

  test('is whole while it waits, whatever the bounds, and cut like all else when it is decided', () => {
    const log = ask(100 * LIMIT);
    const bounds = { entriesMax: 0, bytesMax: 0, textBytesMax: LIMIT };
    const bounded = boundTranscript(log.transcript, bounds);
    expect(bounded.entries.slice(1)).toEqual(log.transcript.entries.slice(1));
    log.choose('A', 'yes');
    for (const stored of log.stored) foldTranscript(bounded, stored);
    const bytes = JSON.stringify(input(100 * LIMIT)).length;
    const [permission] = entriesOf(boundTranscript(bounded, bounds), 'permission');
    expect(permission?.cut).toEqual({ rawInput: { bytes, items: 0 } });
    expect(permission?.action).not.toHaveProperty('rawInput');
  });

  test('has its room before everything else', () => {
    const log = ask(100 * LIMIT);
    for (let n = 0; n < 500; n++) log.say(LONG, `m${n}`);
    const bounded = boundTranscript(log.transcript);
    expect(bounded.entries.slice(1, 3)).toEqual(log.transcript.entries.slice(1, 3));
    expect(bounded.entries[3]?.cut).toBeDefined();
  });

  test('has a mark where it is longer than anything that goes along', () => {
    const [permission] = entriesOf(bound(ask(ASKED_BYTES_MAX)), 'permission');
    expect(permission?.cut?.rawInput?.bytes).toBeGreaterThan(ASKED_BYTES_MAX);
    expect(permission?.action).not.toHaveProperty('rawInput');
  });
});

test('strings of one event go by reference where that is wanted, with a place that holds them', () => {
  const log = new LogWriter().start('T', LONG).update({ sessionUpdate: 'odd', text: LONG });
  const rawInput = new RawJson(JSON.stringify({ command: LONG }));
  log.ask('A', { toolCallId: 'c', title: 'Run' }, undefined, { rawInput });
  const references = { inlineBytesMax: LIMIT, digest: () => 'd' };
  const bounded = boundTranscript(log.transcript, { textBytesMax: LIMIT }, references);
  expect(bounded.entries.filter(({ cut }) => cut !== undefined)).toEqual([]);
  const [prompt] = entriesOf(bounded, 'user_message');
  const [odd] = entriesOf(bounded, 'unknown_update');
  const [asked] = entriesOf(bounded, 'permission');
  const found = [
    referenceBlockOf(prompt?.blocks[0] ?? text(''))?.of['text'],
    (odd?.raw.value as { text: unknown }).text,
    (asked?.action.rawInput?.value as { command: unknown }).command,
  ];
  expect(found.map((value) => refOf(value)?.seq)).toEqual([1, 2, 3]);
  for (const value of found) {
    const { seq = 0, pointer = '' } = refOf(value) ?? {};
    expect(stringAt(encodeEvent(log.events[seq - 1]!), pointer)).toBe(LONG);
  }
  expect(sent(bounded)).toEqual(bounded);
  log.echo(LONG).say('done');
  for (const stored of log.stored) foldTranscript(bounded, stored);
  expect(entriesOf(bounded, 'user_message')).toHaveLength(1);
});

test('a transcript without marks, as older versions wrote it, can be read', () => {
  const encoded = encodeTranscript(new LogWriter().start('T').say('a').transcript);
  expect(JSON.stringify(encoded)).not.toContain('"cut"');
  expect(decodeTranscript(encoded).entries).toHaveLength(2);
});
