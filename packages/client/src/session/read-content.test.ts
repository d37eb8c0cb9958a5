import { createHash } from 'node:crypto';
import type { ResponseMessage } from '@signalbox/acp';
import type { ContentRef } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { CONTENT_PART_BYTES, readContent, type ReadPart } from './read-content.ts';

const LONG = '👩‍👩‍👧 ünd so weiter\n'.repeat(120_000);

function refTo(text: string, more: Partial<ContentRef> = {}): ContentRef {
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return { seq: 7, pointer: '/data/x', bytes: Buffer.byteLength(text), digest, ...more };
}

function message(result: unknown): Promise<ResponseMessage> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  return Promise.resolve({
    kind: 'response',
    id: 1,
    result,
    error: undefined,
    isError: false,
    text,
  });
}

/** Gives parts as a server does: cut between characters. */
function server(text: string, asked: unknown[] = []): ReadPart {
  const bytes = Buffer.from(text);
  return (params) => {
    asked.push(params);
    const { offset, length } = params;
    let end = Math.min(offset + length, bytes.length);
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    const isLast = end === bytes.length;
    return message({ text: bytes.toString('utf8', offset, end), offset, isLast });
  };
}

async function readAll(ref: ContentRef, readPart: ReadPart): Promise<string> {
  const parts: string[] = [];
  await readContent(ref, readPart, (part) => void parts.push(part));
  return parts.join('');
}

describe('a large string', () => {
  test('is read in parts of at most 1 MiB, one behind the other', async () => {
    const asked: { offset: number }[] = [];
    expect(await readAll(refTo(LONG), server(LONG, asked))).toBe(LONG);
    expect(asked).toHaveLength(Math.ceil(Buffer.byteLength(LONG) / CONTENT_PART_BYTES));
    expect(asked[0]).toEqual({
      seq: 7,
      pointer: '/data/x',
      offset: 0,
      length: CONTENT_PART_BYTES,
    });
    expect(asked[1]?.offset).toBeLessThanOrEqual(CONTENT_PART_BYTES);
  });

  test('waits for whoever takes the parts', async () => {
    const log: string[] = [];
    const readPart = server(LONG);
    const logged: ReadPart = (params) => {
      log.push('ask');
      return readPart(params);
    };
    await readContent(refTo(LONG), logged, async () => {
      await Promise.resolve();
      log.push('taken');
    });
    expect(log.slice(0, 4)).toEqual(['ask', 'taken', 'ask', 'taken']);
  });

  test('may have no characters, and halves of characters', async () => {
    expect(await readAll(refTo(''), server(''))).toBe('');
    const halves = 'a\ud800b';
    const one: ReadPart = () => message({ text: halves, offset: 0, isLast: true });
    expect(await readAll(refTo(halves), one)).toBe(halves);
  });

  test.for([
    ['another text of the same length', server('another text')],
    ['a shorter text', server('short')],
    ['a longer text', server('a text that is longer')],
  ] as const)('that is %s is refused', async ([_, readPart]) => {
    const reading = readAll(refTo('a text of 12'), readPart);
    await expect(reading).rejects.toMatchObject({ code: 'digest_mismatch' });
  });

  test.for([
    ['that never ends', { text: '', offset: 0, isLast: false }],
    ['from somewhere else', { text: 'a', offset: 5, isLast: true }],
    ['without a text', { offset: 0, isLast: true }],
    ['that is nothing', null],
  ] as const)('in a part %s is refused', async ([_, part]) => {
    const reading = readAll(refTo('a'), () => message(part));
    await expect(reading).rejects.toMatchObject({ code: 'invalid_response' });
  });

  test('cannot be read when nobody knows where it is, or what it has to be', async () => {
    const { seq: _, ...nowhere } = refTo('a');
    for (const ref of [nowhere, refTo('a', { digest: 'md5:1' })]) {
      const reading = readAll(ref, server('a'));
      await expect(reading).rejects.toMatchObject({ code: 'invalid_argument' });
    }
  });
});
