import { describe, expect, test } from 'vitest';
import { RawJson } from '@signalbox/acp';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import { entriesOf } from '../../../../tests/support/transcript/show.ts';
import { INLINE_BYTES_MIN, refOf, withReferences } from '../session/content-ref.ts';
import { decodeEvent, encodeEvent } from '../session/event-text.ts';
import { referenceBlockOf } from '../session/reference-block.ts';
import { boundTranscript } from './bound-transcript.ts';
import { toTranscript } from './fold.ts';
import { createEventMerger } from './merge-events.ts';
import type { StoredEvent } from './stored-event.ts';
import { decodeTranscript, encodeTranscript } from './transcript-codec.ts';
import type { Transcript } from './transcript.ts';

const LONG = 'x'.repeat(INLINE_BYTES_MIN + 1);

/** The log as a client gets it that wants long strings by reference. */
function shortened({ stored }: LogWriter): StoredEvent[] {
  return stored.map(({ seq, event }) => {
    const options = { inlineBytesMax: INLINE_BYTES_MIN, seq, digest: () => 'd' };
    return { seq, event: decodeEvent(withReferences(encodeEvent(event), options).text) };
  });
}

function fold(log: LogWriter): Transcript {
  return toTranscript(shortened(log));
}

/** A reference as it stands in an event. */
const marked = (seq: number, pointer: string) => ({
  '$signalbox/ref': { seq, pointer, bytes: LONG.length, digest: 'd' },
});
const block = (of: object) => ({ type: 'signalbox/ref', of });

describe('content that went by reference', () => {
  test('stands in a message as a block, between what is there', () => {
    const log = new LogWriter().start('T').say('a').say(LONG).say('b');
    log.chunk('agent_message_chunk', { type: 'image', mimeType: 'image/png', data: LONG });
    const pointer = '/data/update/content/text';
    const image = { mimeType: 'image/png', data: marked(5, '/data/update/content/data') };
    const [message] = entriesOf(fold(log), 'agent_message');
    expect(message?.blocks).toEqual([
      { type: 'text', text: 'a' },
      block({ type: 'text', text: marked(3, pointer) }),
      { type: 'text', text: 'b' },
      block({ type: 'image', ...image }),
    ]);
    const found = message?.blocks.map((one) => referenceBlockOf(one)?.of['text']);
    expect(found?.map(refOf)).toEqual([
      undefined,
      { seq: 3, pointer, bytes: LONG.length, digest: 'd' },
      undefined,
      undefined,
    ]);
  });

  test('stands in what a tool call shows, and its arguments and results keep it as it is', () => {
    const log = new LogWriter().start('T').call('c', {
      rawInput: { command: LONG },
      content: [
        { type: 'content', content: { type: 'text', text: LONG } },
        { type: 'content', content: { type: 'resource', resource: { uri: 'x:', text: LONG } } },
        { type: 'diff', path: '/x', oldText: null, newText: LONG },
        { type: 'terminal', terminalId: 't' },
      ],
    });
    const transcript = fold(log);
    const at = (rest: string) => marked(2, `/data/update/${rest}`);
    expect(entriesOf(transcript, 'tool_call')).toMatchObject([
      {
        title: 'Run',
        content: [
          { type: 'content', content: block({ type: 'text', text: at('content/0/content/text') }) },
          {
            type: 'content',
            content: block({
              type: 'resource',
              resource: { uri: 'x:', text: at('content/1/content/resource/text') },
            }),
          },
          block({ type: 'diff', path: '/x', oldText: null, newText: at('content/2/newText') }),
          { type: 'terminal', terminalId: 't' },
        ],
      },
    ]);
    const input = entriesOf(transcript, 'tool_call')[0]?.rawInput?.value as { command: unknown };
    expect(refOf(input.command)).toMatchObject({
      seq: 2,
      pointer: '/data/update/rawInput/command',
    });
    expect(transcript.diagnostics.count).toBe(0);
  });

  test('stands in prompts, also those that wait or were dropped', () => {
    const log = new LogWriter().start('T', LONG).queue('Q', LONG).drop('Q').end();
    const text = marked(1, '/data/content/0/text');
    const dropped = marked(2, '/data/content/0/text');
    expect(fold(log).entries).toMatchObject([
      { kind: 'user_message', blocks: [block({ type: 'text', text })] },
      { kind: 'prompt_dropped', blocks: [block({ type: 'text', text: dropped })] },
      { kind: 'turn_end' },
    ]);
  });

  test('stands in what a request says about its tool call', () => {
    const content = [{ type: 'content', content: { type: 'text', text: LONG } }];
    const log = new LogWriter().start('T').ask('A', { toolCallId: 'c', title: 'Run', content });
    const text = marked(2, '/data/toolCall/content/0/content/text');
    expect(entriesOf(fold(log), 'tool_call')).toMatchObject([
      { title: 'Run', content: [{ type: 'content', content: block({ type: 'text', text }) }] },
    ]);
  });

  test('stands in the summary of a compaction', () => {
    const log = new LogWriter().update({
      ...{ sessionUpdate: 'compaction_update', compactionId: 'k', status: 'completed' },
      summary: [{ type: 'text', text: LONG }],
    });
    log.update({
      ...{ sessionUpdate: 'compaction_summary_chunk', compactionId: 'k' },
      content: { type: 'text', text: LONG },
    });
    expect(entriesOf(fold(log), 'compaction')[0]?.summary).toEqual([
      block({ type: 'text', text: marked(1, '/data/update/summary/0/text') }),
      block({ type: 'text', text: marked(2, '/data/update/content/text') }),
    ]);
  });

  test('stands beside the output of a command, which is empty then', () => {
    const log = new LogWriter().terminal('t').terminalEnded('t', LONG);
    expect(fold(log).terminals.get('t')?.exit).toMatchObject({
      output: '',
      outputRef: { seq: 2, pointer: '/data/output', bytes: LONG.length },
    });
  });

  test('is there still when the transcript was bounded and sent', () => {
    const log = new LogWriter().start('T', LONG).say(LONG).terminal('t').terminalEnded('t', LONG);
    log.call('c', { content: [{ type: 'terminal', terminalId: 't' }] });
    const transcript = boundTranscript(fold(log));
    const sent = decodeTranscript(JSON.parse(JSON.stringify(encodeTranscript(transcript))));
    expect(sent).toEqual(transcript);
  });

  test('is never merged with text', () => {
    const events = shortened(new LogWriter().say('a').say(LONG).say('b'));
    const merger = createEventMerger();
    const merged = [...events.flatMap((event) => merger.add(event)), ...merger.flush()];
    expect(merged.map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  test('is no content when its reference is not one of ours', () => {
    const update = { type: 'text', text: { '$signalbox/ref': { pointer: 5 } } };
    const log = new LogWriter().chunk('agent_message_chunk', update);
    expect(log.transcript.entries).toEqual([]);
    expect(log.transcript.diagnostics.count).toBe(1);
  });
});

test('what an agent writes like a reference looks the same live and after a reload', () => {
  const text = { '$signalbox/ref': { pointer: '/a', bytes: 1, digest: 'd' } };
  const content = [{ type: 'content', content: { type: 'text', text } }];
  const log = new LogWriter().call('c', { content }).ask('A', { toolCallId: 'd', content });
  log.chunk('agent_message_chunk', { type: 'text', text });
  expect(log.rebuilt()).toEqual(log.transcript);
});

test('a text that only speaks of references stays a text', () => {
  const text = '{"$signalbox/ref":{"pointer":"/a","bytes":1,"digest":"d"}}';
  const log = new LogWriter().start(
    'T',
    new RawJson(`[${JSON.stringify({ type: 'text', text })}]`),
  );
  log.say(text).call('c', { rawInput: { text } });
  expect(fold(log)).toEqual(log.transcript);
});
