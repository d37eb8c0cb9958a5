import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatEntry } from './format-entry.ts';
import { Recorder } from './recorder.ts';
import { formatTrace, parseEntry, parseTrace, readTrace, writeTrace } from './trace-file.ts';
import type { TraceEntry } from './trace-entry.ts';

function createRecorder(): Recorder {
  let t = 0;
  return new Recorder(undefined, () => t++);
}

test('cuts lines at LF only, however the bytes are sliced', () => {
  const text = '{"a":"😀 \u2028 ß"}\n{"b":"\r"}\n';
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 5, bytes.length]) {
    const recorder = createRecorder();
    for (let at = 0; at < bytes.length; at += size) {
      recorder.push('a2c', bytes.subarray(at, at + size));
    }
    expect(recorder.trace.map((entry) => entry.text)).toEqual(text.split('\n').slice(0, 2));
  }
});

test('keeps the two directions apart and in the order in which lines were complete', () => {
  const recorder = createRecorder();
  recorder.push('c2a', Buffer.from('{"id":'));
  recorder.push('a2c', Buffer.from('{}\n'));
  recorder.push('c2a', Buffer.from('1}\n'));
  expect(recorder.trace.map(({ dir, text }) => [dir, text])).toEqual([
    ['a2c', '{}'],
    ['c2a', '{"id":1}'],
  ]);
});

test('tells of each line when it is whole, and of a cut one when its direction ends', () => {
  const seen: TraceEntry[] = [];
  const recorder = new Recorder((entry) => seen.push(entry));
  recorder.push('a2c', Buffer.from('{}\n{"half'));
  expect(seen).toHaveLength(1);
  recorder.end('a2c');
  recorder.end('c2a');
  expect(seen[1]).toMatchObject({ text: '{"half', isCut: true });
  expect(seen).toHaveLength(2);
});

test('keeps bytes that are no UTF-8', () => {
  const recorder = createRecorder();
  recorder.push('a2c', Uint8Array.of(0x22, 0xff, 0x22, 10));
  const [entry] = recorder.trace;
  expect(entry?.bytes).toEqual(Buffer.of(0x22, 0xff, 0x22));
  expect(parseEntry(formatEntry(entry!))).toEqual(entry);
});

const ENTRIES: readonly TraceEntry[] = [
  { dir: 'c2a', t: 0, text: '{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}' },
  { dir: 'a2c', t: 5, text: '{ "a" :  1.50, "\\u0061": "\\ud83d\\ude00" }' },
  { dir: 'a2c', t: 5, text: 'a banner, and no JSON "\\' },
  { dir: 'a2c', t: 6, text: ' {"spaces":1} ' },
  { dir: 'a2c', t: 7, text: '' },
  { dir: 'a2c', t: 8, text: '{"cut', isCut: true },
  { dir: 'a2c', t: 6, text: '{\n  "a": [\r\n1]\n}' },
];

test('writes and reads every kind of line with its exact text', async () => {
  expect(parseTrace(formatTrace(ENTRIES))).toEqual(ENTRIES);
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-trace-'));
  try {
    await writeTrace(join(directory, 'a.ndjson'), ENTRIES);
    expect(await readTrace(join(directory, 'a.ndjson'))).toEqual(ENTRIES);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('refuses what is no trace', () => {
  expect(() => parseTrace('{"t":1,"msg":{}}')).toThrow(SyntaxError);
  expect(() => parseTrace('{"dir":"c2a","t":1}')).toThrow(SyntaxError);
  expect(() => parseTrace('hello')).toThrow(SyntaxError);
});
