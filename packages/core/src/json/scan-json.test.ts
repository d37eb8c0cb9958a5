import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DELICATE_VALUES } from '../../../../tests/support/session/raw-texts.ts';
import { membersOf, scanJson, type JsonPath } from './scan-json.ts';

/** All that is told of a text, with the path as it was then. */
function told(text: string): [JsonPath, string][] {
  const all: [JsonPath, string][] = [];
  scanJson(text, (start, end, path) => all.push([[...path], text.slice(start, end)]));
  return all;
}

/** A value and all values in it, each behind what is in it. */
function valuesIn(value: unknown, path: JsonPath = []): [JsonPath, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => valuesIn(item, [...path, index]))
    : Object.entries(value).flatMap(([key, member]) => valuesIn(member, [...path, key]));
  return [...inner, [path, value]];
}

describe('scanning JSON', () => {
  test('tells of each value where it is, inner ones first, with spaces or without', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(2), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const all = told(JSON.stringify(value, undefined, indent));
        const parsed = all.map(([path, text]) => [path, JSON.parse(text) as unknown]);
        expect(parsed).toEqual(valuesIn(JSON.parse(JSON.stringify(value))));
      }),
      { numRuns: 500 },
    );
  });

  test.for(DELICATE_VALUES)('finds %s as it is', (value) => {
    expect(told(`[${value}]`)).toContainEqual([[0], value]);
    expect(membersOf(` {"a":1, "b" :${value} ,"a":2}`)).toEqual(
      new Map([
        ['a', '2'],
        ['b', value],
      ]),
    );
  });

  test('ends on any text', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ');
    fc.assert(
      fc.property(fc.string({ unit: pieces }), (text) => void told(text)),
      {
        numRuns: 2000,
      },
    );
  });

  test('takes no stack for depth and no more time for escapes', () => {
    const deep = 200_000;
    let count = 0;
    scanJson('['.repeat(deep) + ']'.repeat(deep), () => count++);
    expect(count).toBe(deep);
    expect(told(`"${'\\\\'.repeat(deep)}${'\\"'.repeat(deep)}"`)).toHaveLength(1);
  });
});

describe('the members of an object', () => {
  test('have their keys decoded', () => {
    expect(membersOf('{"\\u0061":1,"__proto__":{"b":2}}')).toEqual(
      new Map([
        ['a', '1'],
        ['__proto__', '{"b":2}'],
      ]),
    );
  });

  test.for(['[1,{"a":2}]', '5', '"a"', '', '{}'])('of %s are none', (text) => {
    expect(membersOf(text).size).toBe(0);
  });
});
