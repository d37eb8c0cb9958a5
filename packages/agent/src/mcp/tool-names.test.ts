import { expect, test } from 'vitest';
import { claimName, serverLabel, toolName } from './tool-names.ts';

test('names hold only what models take, and say the server and the tool', () => {
  expect(toolName(serverLabel('git'), 'log')).toBe('mcp__git__log');
  expect(toolName(serverLabel('My Server'), 'files/read.all')).toBe(
    'mcp__My_Server__files_read_all',
  );
  expect(serverLabel('')).toBe('server');
});

test('a name that is taken gets the next number', () => {
  const taken = new Set<string>();
  const names = ['a', 'a', 'a_2', 'a'].map((name) => claimName(name, taken));
  expect(names).toEqual(['a', 'a_2', 'a_2_2', 'a_3']);
});
