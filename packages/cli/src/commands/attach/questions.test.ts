import type { RemoteSession } from '@signalbox/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { chooseStyle } from '../../render/style.ts';
import { UNREAD_MS } from '../../terminal/keys.ts';
import { Questions } from './questions.ts';
import type { Screen } from './screen.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** One request that waits, and what became of it. */
function createQuestions() {
  const notices: string[] = [];
  const answers: (string | undefined)[] = [];
  const listeners = new Set<() => void>();
  const request = {
    permissionId: 'p',
    firstSeq: 1,
    options: [{ optionId: 'reject', name: 'Reject', kind: 'reject_once' }],
    action: { title: 'Remove', kind: 'delete', paths: [] },
  };
  const session = {
    role: 'driver',
    isOver: false,
    permissions: [request],
    subscribe: (listen: () => void) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    answerPermission: (_id: string, optionId?: string) => {
      answers.push(optionId);
      session.permissions = [];
      for (const listen of listeners) listen();
      return Promise.resolve();
    },
  };
  const screen = {
    style: chooseStyle({ isTTY: false } as NodeJS.WriteStream),
    print: () => undefined,
    notice: (text: string) => notices.push(text),
  };
  const questions = new Questions(
    session as unknown as RemoteSession,
    screen as unknown as Screen,
    new AbortController().signal,
  );
  return { questions, notices, answers };
}

it('a line that came before the question could be read is no answer', async () => {
  const { questions, notices, answers } = createQuestions();
  const asked = questions.ask(1);
  vi.advanceTimersByTime(UNREAD_MS - 1);
  await questions.answer('n');
  expect(notices).toEqual(['That came before the question could be read; answer it now.']);
  vi.advanceTimersByTime(1);
  await questions.answer('x');
  expect(notices.at(-1)).toBe('That is none of the answers.');
  await questions.answer('n');
  expect(answers).toEqual(['reject']);
  await asked;
  expect(questions.isStanding).toBe(false);
});
