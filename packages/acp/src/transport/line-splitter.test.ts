import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../jsonrpc/transport.ts';
import { LineSplitter } from './line-splitter.ts';

const MIB = 1024 * 1024;

/** Lines as a peer may write them, with everything that is awkward about text. */
const line = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', '"', 'é', '€', '漢', '😀', '\u2028', '\r', '\uFFFD', ' '),
  }),
  fc.constantFrom('', '\r', '\uFEFF', '\uFEFF{"a":1}', '{"a":1}\r'),
);

describe('the line splitter', () => {
  it('gives the same frames however the bytes are cut into reads', () => {
    fc.assert(
      fc.property(
        fc.array(line),
        fc.boolean(),
        fc.infiniteStream(fc.nat(7)),
        (lines, ends, cuts) => {
          const bytes = Buffer.from(lines.join('\n') + (ends ? '\n' : ''));
          const whole = split([bytes], MIB);
          expect(split(cut(bytes, cuts), MIB)).toEqual(whole);
          expect(
            split(
              Array.from(bytes, (byte) => Buffer.of(byte)),
              MIB,
            ),
          ).toEqual(whole);
          expect(whole).toEqual(expectedFrames(lines));
        },
      ),
    );
  });

  it('gives the same frames for bytes of any kind, with a limit that lines exceed', () => {
    const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x41, 0xc3, 0xa9, 0xff, 0xe2, 0x82, 0xac));
    fc.assert(
      fc.property(bytes, fc.infiniteStream(fc.nat(5)), (values, cuts) => {
        const all = Buffer.from(values);
        const whole = split([all], 6);
        expect(split(cut(all, cuts), 6)).toEqual(whole);
        expect(
          split(
            Array.from(all, (byte) => Buffer.of(byte)),
            6,
          ),
        ).toEqual(whole);
      }),
    );
  });

  it('skips a line over the limit, says how long it was, and keeps the lines around it', () => {
    const long = 'x'.repeat(10_000);
    const text = Buffer.from(`{"a":1}\n${long}\n{"b":2}\n`);
    for (const reads of [
      [text],
      [text.subarray(0, 3000), text.subarray(3000)],
      [...chunks(text, 7)],
    ]) {
      expect(split(reads, 100)).toEqual([
        '{"a":1}',
        { kind: 'oversized', head: 'x'.repeat(100), length: 10_000 },
        '{"b":2}',
      ]);
    }
  });

  it('takes a line of exactly the limit, counted in bytes', () => {
    expect(split([Buffer.from('€€\n')], 6)).toEqual(['€€']);
    expect(split([Buffer.from('€€\n')], 5)).toEqual([
      { kind: 'oversized', head: '€\uFFFD', length: 6 },
    ]);
  });

  it('does not hold a line over the limit in memory', () => {
    const splitter = new LineSplitter(1024);
    const read = Buffer.alloc(MIB, 0x61);
    for (let i = 0; i < 10; i++) expect(splitter.push(read)).toEqual([]);
    expect(splitter.push(Buffer.from('\n'))).toMatchObject([{ length: 10 * MIB }]);
  });

  it('isolates a line that is not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('"ä"\n"'),
      Buffer.of(0xff, 0x22),
      Buffer.from('\n"\uFFFD"\n'),
    ]);
    expect(split([bytes], MIB)).toEqual([
      '"ä"',
      { kind: 'undecodable', head: '"\uFFFD"' },
      '"\uFFFD"',
    ]);
  });

  it('gives a last line that has no line feed, once', () => {
    const splitter = new LineSplitter(MIB);
    expect(splitter.push(Buffer.from('{"a":1}'))).toEqual([]);
    expect(splitter.end()).toEqual(['{"a":1}']);
    expect(splitter.end()).toEqual([]);
  });

  it('takes a long line in tiny reads in time proportional to its length', () => {
    const splitter = new LineSplitter(MIB);
    const byte = Buffer.from('x');
    for (let i = 0; i < 500_000; i++) splitter.push(byte);
    expect(splitter.push(Buffer.from('\n'))).toEqual(['x'.repeat(500_000)]);
  });
});

function expectedFrames(lines: readonly string[]): string[] {
  return lines
    .map((text) => (text.endsWith('\r') ? text.slice(0, -1) : text))
    .map((text) => (text.startsWith('\uFEFF') ? text.slice(1) : text))
    .filter((text) => text !== '');
}

function split(reads: Iterable<Buffer>, bytesMax: number): Frame[] {
  const splitter = new LineSplitter(bytesMax);
  const frames: Frame[] = [];
  for (const read of reads) frames.push(...splitter.push(Buffer.from(read)));
  frames.push(...splitter.end());
  return frames;
}

function* cut(bytes: Buffer, lengths: Iterator<number>): Iterable<Buffer> {
  let start = 0;
  while (start < bytes.length) {
    const end = start + 1 + (lengths.next().value as number);
    yield bytes.subarray(start, end);
    start = end;
  }
}

function* chunks(bytes: Buffer, length: number): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
