import { RawJson } from '@signalbox/acp';
import type { Action } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { diffText } from './diff-text.ts';
import { permissionText } from './permission-text.ts';
import { PLAIN } from './style.ts';

function asked(rawInput: object, title = 'Run'): string {
  const action: Action = {
    kind: 'execute',
    title,
    paths: [],
    cwd: '/work',
    rawInput: new RawJson(JSON.stringify(rawInput)),
  };
  return permissionText(action, PLAIN);
}

describe('what a person decides by', () => {
  it('shows what a shell would execute within a sequence that a terminal would not show', () => {
    const command = 'ls\u001b]0;; rm -rf ~ #\u0007';
    const shown = 'ls␛]0;; rm -rf ~ #␇';
    expect(asked({ command }, command)).toBe(`? ${shown} (execute)\n    command: ${shown}\n`);
  });

  it('shows characters that take no place', () => {
    const command = 'rm\u200b a\u3164\u{e0041}';
    expect(asked({ command })).toContain('rm<U+200B> a<U+3164><U+E0041>');
  });

  it('shows no line of a value as another member', () => {
    expect(asked({ 'x\ncommand': 'ls' })).toBe('? Run (execute)\n    x␊command: ls\n');
    const shown = asked({ about: 'x\ncommand: ls', command: 'rm -rf ~' });
    expect(shown).toBe(
      '? Run (execute)\n    about: \n      x\n      command: ls\n    command: rm -rf ~\n',
    );
  });

  it('looks at no more of many arguments than it shows', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]));
    const few = Object.fromEntries(Object.entries(many).slice(0, 10_000));
    expect(asked(many)).toContain('\n    … (the log holds the whole)\n');
    expect(asked(few)).toContain('    k0: 0\n    k1: 1\n');
  });

  it('compares texts that have nothing in common no longer than it shows', () => {
    const lines = (letter: string): string =>
      Array.from({ length: 40_000 }, (_, index) => `${letter}${index % 97}`).join('\n');
    const change = { path: '/project/a', oldText: lines('a'), newText: lines('b') };
    expect(diffText(change, PLAIN)).toBe(
      '/project/a: more than 2000 lines differ, too many to show here\n',
    );
  });
});
