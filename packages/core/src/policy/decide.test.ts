import type { PermissionOption } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import { decide, denial, POLICY_LEVELS, type Decision } from './decide.ts';

type Kinds = readonly string[];

/** Options `id:kind`; without an id, the kind is the id. */
function options(...texts: Kinds): PermissionOption[] {
  return texts.map((text) => {
    const [optionId = '', kind = optionId] = text.split(':');
    return { optionId, name: `Option ${optionId}`, kind: kind as PermissionOption['kind'] };
  });
}

function shown(decision: Decision): string {
  return 'optionId' in decision ? `${decision.kind} ${decision.optionId}` : decision.kind;
}

/** Every order of a list. */
function orders<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((first, at) => orders(list.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

/** What each level makes of the options, in whatever order they come. */
const CASES: readonly {
  name: string;
  options: Kinds;
  ask: string;
  allow: string;
  deny: string;
}[] = [
  {
    name: 'the usual four',
    options: ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
    ...{ ask: 'ask', allow: 'allow allow_once', deny: 'deny reject_once' },
  },
  {
    name: 'a chooser: several ways to allow once',
    options: ['A:allow_once', 'B:allow_once', 'C:allow_once', 'D:allow_once'],
    ...{ ask: 'ask', allow: 'ask', deny: 'cancel' },
  },
  {
    name: 'only a permanent way to allow',
    options: ['allow_always', 'reject_once'],
    ...{ ask: 'ask', allow: 'ask', deny: 'deny reject_once' },
  },
  {
    name: 'one way to allow once, none to reject',
    options: ['allow_once'],
    ...{ ask: 'ask', allow: 'allow allow_once', deny: 'cancel' },
  },
  {
    name: 'only a permanent way to allow, none to reject',
    options: ['allow_always'],
    ...{ ask: 'ask', allow: 'ask', deny: 'cancel' },
  },
  {
    name: 'only ways to reject',
    options: ['reject_once', 'reject_always'],
    ...{ ask: 'ask', allow: 'ask', deny: 'deny reject_once' },
  },
  {
    name: 'only a permanent way to reject',
    options: ['allow_once', 'reject_always'],
    ...{ ask: 'ask', allow: 'allow allow_once', deny: 'deny reject_always' },
  },
  { name: 'nothing', options: [], ask: 'cancel', allow: 'cancel', deny: 'cancel' },
  {
    name: 'an unknown kind',
    options: ['allow_persistent'],
    ...{ ask: 'ask', allow: 'ask', deny: 'cancel' },
  },
  {
    name: 'an unknown kind beside a known one',
    options: ['allow_persistent', 'allow_once', 'reject_for_ever'],
    ...{ ask: 'ask', allow: 'allow allow_once', deny: 'cancel' },
  },
  {
    name: 'two permanent grants, one for the session',
    options: ['once:allow_once', 'session:allow_always', 'for-ever:allow_always', 'no:reject_once'],
    ...{ ask: 'ask', allow: 'allow once', deny: 'deny no' },
  },
  {
    name: 'two ways to reject once',
    options: ['b:reject_once', 'a:reject_once', 'c:reject_always'],
    ...{ ask: 'ask', allow: 'ask', deny: 'deny a' },
  },
  {
    name: 'one id for yes and no',
    options: ['x:allow_once', 'x:reject_once'],
    ...{ ask: 'ask', allow: 'ask', deny: 'cancel' },
  },
  {
    name: 'one id for yes and a way to reject, and another one',
    options: ['x:allow_once', 'x:reject_once', 'y:reject_always'],
    ...{ ask: 'ask', allow: 'ask', deny: 'deny y' },
  },
];

describe.for(CASES)('options that are $name', (one) => {
  test.for(POLICY_LEVELS)('give the same answer in every order at level %s', (level) => {
    const answers = orders(options(...one.options)).map((list) => shown(decide(list, level)));
    expect(new Set(answers)).toEqual(new Set([one[level]]));
  });

  test('are denied as level deny does it', () => {
    expect(shown(denial(options(...one.options), 'by hand'))).toBe(one.deny);
  });
});

describe('a decision', () => {
  test('names the rule that made it', () => {
    expect(decide(options('allow_once'), 'allow')).toMatchObject({ rule: 'level:allow' });
    expect(denial(options('reject_once'), 'deadline')).toMatchObject({ rule: 'deadline' });
  });

  test('leaves the options as they were', () => {
    const list = options('b:reject_once', 'a:reject_once');
    denial(Object.freeze(list), 'x');
    expect(list.map(({ optionId }) => optionId)).toEqual(['b', 'a']);
  });

  test('returns an id exactly as the agent wrote it', () => {
    for (const optionId of ['', 'ALLOW', 'deny__y', 'a b/ü', 'x'.repeat(300)]) {
      const option: PermissionOption = { optionId, name: '', kind: 'allow_once' };
      expect(decide([option], 'allow')).toMatchObject({ kind: 'allow', optionId });
    }
  });
});
