import { describe, expect, it } from 'vitest';
import { isOverBytes } from './utf8-length.ts';

describe('a text is over a limit in bytes', () => {
  it.each(['a', 'é', '€', '😀'])('exactly when its UTF-8 is: many a %s', (character) => {
    const text = character.repeat(50);
    const bytes = Buffer.byteLength(text);
    expect([isOverBytes(text, bytes - 1), isOverBytes(text, bytes)]).toEqual([true, false]);
  });
});
