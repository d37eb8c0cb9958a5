import { describe, expect, test } from 'vitest';
import { list, nullable, number, object, oneOf, optional, pair, tagged, text } from './read.ts';

interface Point {
  readonly kind: 'point';
  readonly x: number;
  readonly name?: string;
}

const point = object<Point>({ kind: oneOf('point'), x: number(0, 9), name: optional(text(3)) });
const shape = tagged<Point>('kind', { point });

describe('reading a value', () => {
  test('gives the members that were asked for, and no others', () => {
    const given = { kind: 'point', x: 1, name: undefined, y: 2, ['__proto__']: { z: 1 } };
    expect(shape(given, '')).toStrictEqual({ kind: 'point', x: 1 });
    expect(shape({ kind: 'point', x: 1, name: 'abc' }, '')).toEqual({
      ...{ kind: 'point', x: 1, name: 'abc' },
    });
  });

  test.for<[string, unknown]>([
    ['it must be an object', null],
    ['it must be an object', []],
    ['/kind must be one of: point', {}],
    ['/kind must be one of: point', { kind: 'constructor' }],
    ['/x must be a number', { kind: 'point' }],
    ['/x must be a number', { kind: 'point', x: Infinity }],
    ['/x must be between 0 and 9', { kind: 'point', x: 10 }],
    ['/name must have at most 3 characters', { kind: 'point', x: 1, name: 'abcd' }],
  ])('says "%s" of %j', ([message, value]) => {
    expect(() => shape(value, '')).toThrow(message);
  });

  test('does not take what an object inherits for its own', () => {
    const heir: unknown = Object.create({ kind: 'point', x: 1 });
    expect(() => point(heir, '')).toThrow('/kind must be one of: point');
  });

  test('says where in lists and pairs something is wrong', () => {
    const pairs = list(pair(text(), nullable(number())), 2);
    expect(
      pairs(
        [
          ['a', null],
          ['b', 1],
        ],
        '/at',
      ),
    ).toEqual([
      ['a', null],
      ['b', 1],
    ]);
    expect(() =>
      pairs(
        [
          ['a', 1],
          ['b', 'c'],
        ],
        '/at',
      ),
    ).toThrow('/at/1/1 must be a number');
    expect(() => pairs([['a', 1, 2]], '/at')).toThrow('/at/0 must have at most 2 items');
    expect(() => pairs([[], [], []], '/at')).toThrow('/at must have at most 2 items');
  });
});
