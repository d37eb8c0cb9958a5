import { describe, expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

describe('cutText', () => {
  test('never leaves half of a character, wherever the limit falls', () => {
    const text = 'a😀b👩‍👩‍👧é漢😀';
    for (let limit = 0; limit <= text.length + 2; limit++) {
      const cut = cutText(text, limit);
      expect(cut.isWellFormed()).toBe(true);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(limit - 1, text.length));
    }
  });

  test('leaves a text alone that fits', () => {
    expect(cutText('😀', 2)).toBe('😀');
    expect(cutText('', 0)).toBe('');
  });
});
