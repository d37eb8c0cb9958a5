import { expect, test } from 'vitest';
import { parseInstruction } from './parse-instruction.ts';
import { splitInstructions } from './split-instructions.ts';

const SPLIT = [
  { prompt: 'read a.js\nlist src', parts: ['read a.js', 'list src'] },
  {
    prompt: 'Read a.js. Then list src; run `a; b. c`.',
    parts: ['Read a.js', 'list src', 'run `a; b. c`'],
  },
  { prompt: 'please read a.js, then delete b.js', parts: ['read a.js', 'delete b.js'] },
  { prompt: '1. read a\n2. and then list b', parts: ['read a', 'list b'] },
  {
    prompt: 'create a.js with\n```js\nx. y\n\nz\n```\nread a.js',
    parts: ['create a.js with\n```js\nx. y\n\nz\n```', 'read a.js'],
  },
  { prompt: ' \n', parts: [] },
];

test.each(SPLIT)('splits $prompt', ({ prompt, parts }) => {
  expect(splitInstructions(prompt)).toEqual(parts);
});

const UNDERSTOOD = [
  ['list', 'list', {}],
  ['List files in src', 'list', { path: 'src' }],
  ['ls `my dir`', 'list', { path: 'my dir' }],
  ['read src/a.js', 'read', { path: 'src/a.js' }],
  ['show the file "a b.txt"', 'read', { path: 'a b.txt' }],
  ['search TODO', 'search', { text: 'TODO' }],
  ['search for `a in b` in src', 'search', { text: 'a in b', path: 'src' }],
  ['search two words in src', 'search', { text: 'two words', path: 'src' }],
  ['replace `a` with `b` in f.js', 'edit', { path: 'f.js', oldText: 'a', newText: 'b' }],
  ['replace "a" by "" in `f.js`', 'edit', { path: 'f.js', oldText: 'a', newText: '' }],
  ['create f with `x`', 'write', { path: 'f', text: 'x' }],
  ['create a file f.js with:\n```js\nx\n```', 'write', { path: 'f.js', text: 'x\n' }],
  ['delete f', 'delete', { path: 'f' }],
  ['move a to b/c', 'move', { from: 'a', to: 'b/c' }],
  ['rename `a b` to `c`', 'move', { from: 'a b', to: 'c' }],
  ['run `npm test`', 'execute', { command: 'npm test' }],
  ['think about it', 'think', { thought: 'it' }],
] as const;

test.each(UNDERSTOOD)('understands %s', (text, name, input) => {
  expect(parseInstruction(text)?.call).toEqual({ name, input });
});

const NOT_UNDERSTOOD = [
  '',
  'hello',
  'what is the time?',
  'replace a with b',
  'run something',
  'delete',
];

test.each(NOT_UNDERSTOOD)('does not pretend to understand "%s"', (text) => {
  expect(parseInstruction(text)).toBeUndefined();
});
