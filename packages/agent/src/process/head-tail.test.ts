import { expect, test } from 'vitest';
import { HeadTail } from './head-tail.ts';

const CASES = [
  { name: 'keeps a short output whole', chunks: ['abc'], text: 'abc', omitted: 0 },
  {
    name: 'keeps an output of exactly the limit',
    chunks: ['abcd', 'efgh'],
    text: 'abcdefgh',
    omitted: 0,
  },
  {
    name: 'leaves the middle out',
    chunks: ['abcdefghij'],
    text: 'abcd\n[2 bytes left out]\nghij',
    omitted: 2,
  },
  {
    name: 'leaves the middle out of many small chunks',
    chunks: [...'abcdefghijklmnop'],
    text: 'abcd\n[8 bytes left out]\nmnop',
    omitted: 8,
  },
  {
    name: 'joins a character that lies across the halves',
    chunks: ['abcü', 'f'],
    text: 'abcüf',
    omitted: 0,
  },
];

test.each(CASES)('$name', ({ chunks, text, omitted }) => {
  const kept = new HeadTail(8);
  for (const chunk of chunks) kept.push(Buffer.from(chunk));
  expect(kept.read()).toEqual({ text, omittedBytes: omitted });
});
