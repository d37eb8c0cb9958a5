import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberText } from './member-text.ts';

const KEYS = ['id', 'method', 'a"b', 'a\\', 'é', '__proto__', '', '{', 'x'];
const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
const escapes = fc.constantFrom(
  (text: string) => JSON.stringify(text),
  (text: string) => `"${Array.from(text, escapeUnits).join('')}"`,
);
const numbers = fc.constantFrom(
  '0',
  '-1',
  '9007199254740993',
  '1.0',
  '1e2',
  '-0',
  '12345678901234567890',
);

/** JSON text with every freedom that the grammar leaves. */
const { value: jsonText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    numbers,
    fc.constantFrom('true', 'false', 'null', '""', '"\\""', '"\\\\"', '"}],{["'),
    fc.tuple(fc.string({ unit: 'binary' }), escapes).map(([text, escape]) => escape(text)),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), space)
      .map(([items, gap]) => `[${gap}${items.join(`${gap},`)}]`),
    fc.array(member(tie('value')), { maxLength: 4 }).map(objectText),
  ),
}));
const objectJson = fc.array(member(jsonText), { maxLength: 6 }).map(objectText);

describe('memberText', () => {
  it('finds the text that decodes to what JSON.parse finds', () => {
    fc.assert(
      fc.property(objectJson, space, fc.constantFrom(...KEYS), (object, gap, key) => {
        const text = gap + object + gap;
        const decoded = JSON.parse(text) as Record<string, unknown>;
        const found = memberText(text, key);
        if (!Object.hasOwn(decoded, key)) expect(found).toBeUndefined();
        else expect(JSON.parse(found ?? '')).toEqual(decoded[key]);
      }),
      { numRuns: 2000 },
    );
  });

  it('ends on text that is cut off anywhere, and on no JSON at all', () => {
    fc.assert(
      fc.property(objectJson, fc.constantFrom(...KEYS), (text, key) => {
        for (let end = 0; end < text.length; end++) memberText(text.slice(0, end), key);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\a1 ') }), (text) => {
        memberText(text, 'a');
        memberText(`{${text}`, 'a');
      }),
      { numRuns: 2000 },
    );
  });

  it('finds what a path names, reading the text once, as it does step by step', () => {
    const keys = fc.array(fc.constantFrom(...KEYS), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(objectJson, space, keys, (object, gap, path) => {
        const [first = '', ...others] = path;
        const steps = path.reduce<string | undefined>(
          (text, key) => (text === undefined ? undefined : memberText(text, key)),
          gap + object + gap,
        );
        expect(memberText(gap + object + gap, first, ...others)).toBe(steps);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{"a":{"b":1},"a":{"c":2}}', undefined],
    ['{"a":{"c":2},"a":{"b":1,"b":2}}', '2'],
    ['{"a":{"b":1},"a":5}', undefined],
    ['{"x":{"a":{"b":1}},"a":{},"b":3}', undefined],
    ['{"a":{"b":{"b":1}},"z":[{"a":{"b":2}}]}', '{"b":1}'],
    ['{"a":[{"b":1}]}', undefined],
  ])('finds the member b of the member a of %s', (text, expected) => {
    expect(memberText(text, 'a', 'b')).toBe(expected);
  });

  it('does not take an escape for the characters that it is written with', () => {
    expect(memberText('{"\\n":1,"\\\\n":2,"\\n":3}', '\\n')).toBe('2');
  });

  it.each([
    ['{"id":9007199254740993}', '9007199254740993'],
    ['{ "id" : -1 , "x":{"id":2}}', '-1'],
    ['{"x":{"id":2},"id":"a\\"b"}', '"a\\"b"'],
    ['{"id":1,"id":1.0}', '1.0'],
    ['{"\\u0069d":7}', '7'],
    ['{"id":[1,{"id":2}]}', '[1,{"id":2}]'],
    ['[{"id":1}]', undefined],
    ['"id"', undefined],
    ['', undefined],
  ])('finds the member id of %s', (text, expected) => {
    expect(memberText(text, 'id')).toBe(expected);
  });

  it('takes time proportional to the text, also for backslashes', () => {
    const text = `{"a":"${'\\\\'.repeat(200_000)}","id":3}`;
    expect(memberText(text, 'id')).toBe('3');
    expect(memberText(`{"a":"${'\\"'.repeat(200_000)}","id":3}`, 'id')).toBe('3');
  });
});

function member(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...KEYS), escapes, value, space)
    .map(([key, escape, text, gap]) => `${gap}${escape(key)}${gap}:${gap}${text}${gap}`);
}

function objectText(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

function escapeUnits(text: string): string {
  let escaped = '';
  for (let i = 0; i < text.length; i++) {
    escaped += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
