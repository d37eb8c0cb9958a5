import { describe, expect, test } from 'vitest';
import { Digests } from './digests.ts';

describe('what a session has seen of a file', () => {
  test('allows a file that it never saw', () => {
    const digests = new Digests();
    expect(digests.check('/f', 'a')).toBeUndefined();
    expect(digests.check('/f', null)).toBeUndefined();
  });

  test('allows a file that is as it was read, and refuses any other until it is read again', () => {
    const digests = new Digests();
    digests.noteRead('/f', 'a', 0);
    expect(digests.check('/f', 'a')).toBeUndefined();
    expect(digests.check('/f', 'b')).toEqual({ seen: 'a', current: 'b' });
    expect(digests.check('/f', null)).toEqual({ seen: 'a', current: null });
    expect(digests.check('/f', 'b')).toEqual({ seen: 'a', current: 'b' });
    digests.noteRead('/f', 'b', 0);
    expect(digests.check('/f', 'b')).toBeUndefined();
  });

  test('tells a conflict once where the session has only ever written', () => {
    const digests = new Digests();
    digests.noteWrite('/f', 'a');
    expect(digests.check('/f', 'b')).toEqual({ seen: 'a', current: 'b' });
    expect(digests.check('/f', 'b')).toBeUndefined();
  });

  test('counts a file that was missing as seen', () => {
    const digests = new Digests();
    digests.noteRead('/f', null, 0);
    expect(digests.check('/f', null)).toBeUndefined();
    expect(digests.check('/f', 'a')).toEqual({ seen: null, current: 'a' });
  });

  test('does not take what was read before a write for what is there after it', () => {
    const digests = new Digests();
    const write = digests.lastWrite('/f');
    digests.noteWrite('/f', 'new');
    digests.noteRead('/f', 'old', write);
    expect(digests.check('/f', 'new')).toBeUndefined();
  });

  test('forgets the files that were used least recently', () => {
    const digests = new Digests(2);
    digests.noteRead('/a', '1', 0);
    digests.noteRead('/b', '1', 0);
    digests.noteRead('/a', '1', 0);
    digests.noteRead('/c', '1', 0);
    expect(digests.check('/a', '2')).toBeDefined();
    expect(digests.check('/b', '2')).toBeUndefined();
    expect(digests.check('/c', '2')).toBeDefined();
  });
});
