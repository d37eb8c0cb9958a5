import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutputBuffer } from './output-buffer.ts';
import { OUTPUT_BYTES_DEFAULT, OUTPUT_BYTES_MAX, toOutputLimit } from './output-limit.ts';

describe('the output of a command', () => {
  test('is kept from the end, at the border of a character, within the limit', () => {
    const whole = 'x日😀'.repeat(7);
    const bytes = Buffer.from(whole);
    for (let limit = 0; limit <= bytes.length + 1; limit++) {
      const buffer = new OutputBuffer(limit);
      for (const byte of bytes) buffer.append(Uint8Array.of(byte));
      const text = buffer.text(true);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      expect(whole.endsWith(text)).toBe(true);
      expect(text).not.toContain('\ufffd');
      expect(buffer.isTruncated).toBe(limit < bytes.length);
      // No character more would fit.
      const before = whole.slice(0, whole.length - text.length);
      const next = [...before].at(-1);
      if (next !== undefined) expect(Buffer.byteLength(next + text)).toBeGreaterThan(limit);
    }
  });

  test('is the same however it arrives', () => {
    const character = fc.constantFrom('x', 'é', '日', '😀', '\n');
    fc.assert(
      fc.property(
        fc.array(character, { maxLength: 60 }),
        fc.integer({ min: 0, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (characters, limit, sizes) => {
          const bytes = Buffer.from(characters.join(''));
          const buffer = new OutputBuffer(limit);
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            buffer.append(bytes.subarray(at, at + size));
            at += size;
            // What is whole so far never shows half a character.
            expect(buffer.text(false)).not.toContain('\ufffd');
          }
          const once = new OutputBuffer(limit);
          once.append(bytes);
          expect(buffer.text(true)).toBe(once.text(true));
          expect(buffer.totalBytes).toBe(bytes.length);
          expect(buffer.isTruncated).toBe(bytes.length > limit);
        },
      ),
    );
  });

  test('is right over many blocks', () => {
    const buffer = new OutputBuffer(100_000);
    let all = '';
    for (let line = 0; line < 60_000; line++) {
      all += `${line}\n`;
      buffer.append(Buffer.from(`${line}\n`));
    }
    expect(buffer.text(true)).toBe(all.slice(-100_000));
    buffer.append(Buffer.alloc(300_000, 'z'));
    expect(buffer.text(true)).toBe('z'.repeat(100_000));
  });

  test('takes no more memory the more is appended', () => {
    const buffer = new OutputBuffer(64 * 1024);
    const chunk = Buffer.from('y\n'.repeat(32 * 1024));
    for (let round = 0; round < 2000; round++) buffer.append(chunk);
    for (let round = 0; round < 100_000; round++) buffer.append(chunk.subarray(0, 1));
    expect(buffer.bytes()).toHaveLength(64 * 1024);
    expect(buffer.bytes().buffer.byteLength).toBeLessThan(128 * 1024);
    expect(buffer.totalBytes).toBe(2000 * 64 * 1024 + 100_000);
  });

  test('holds back half a character until it is there or will never be', () => {
    const buffer = new OutputBuffer(100);
    buffer.append(Buffer.from('a日').subarray(0, 3));
    expect(buffer.text(false)).toBe('a');
    expect(buffer.text(true)).toBe('a\ufffd');
    buffer.append(Buffer.from('日').subarray(2));
    expect(buffer.text(false)).toBe('a日');
  });

  test('that is no UTF-8 is shown with replacements and counted as it is', () => {
    const buffer = new OutputBuffer(8);
    const gbk = Buffer.from([0xd6, 0xd0, 0xce, 0xc4]);
    buffer.append(Buffer.from('ok\n'));
    buffer.append(gbk);
    expect(buffer.text(true)).toMatch(/^ok\n\ufffd+$/);
    expect(buffer.isTruncated).toBe(false);
    expect(buffer.bytes().subarray(3).equals(gbk)).toBe(true);
    buffer.append(Buffer.from('12'));
    expect(buffer.totalBytes).toBe(9);
    expect(buffer.isTruncated).toBe(true);
  });
});

describe('the limit of the output', () => {
  test('has a default, a ceiling and may be zero', () => {
    expect(toOutputLimit(undefined)).toBe(OUTPUT_BYTES_DEFAULT);
    expect(toOutputLimit(null)).toBe(OUTPUT_BYTES_DEFAULT);
    expect(toOutputLimit(0)).toBe(0);
    expect(toOutputLimit(17)).toBe(17);
    expect(toOutputLimit(1e12)).toBe(OUTPUT_BYTES_MAX);
    expect(toOutputLimit(1e300)).toBe(OUTPUT_BYTES_MAX);
  });

  test.each([-1, 1.5, NaN, Infinity])('cannot be %d', (limit) => {
    const problem = expect.objectContaining({ code: -32602 }) as Error;
    expect(() => toOutputLimit(limit)).toThrow(problem);
  });
});
