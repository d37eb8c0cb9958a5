import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson, RawJson, rawObject } from './raw-json.ts';

describe('raw JSON', () => {
  it('is encoded with its exact text', () => {
    expect(encodeJson(new RawJson('{"n":12345678901234567890}'))).toBe(
      '{"n":12345678901234567890}',
    );
  });

  it('is put on one line, which changes nothing in strings', () => {
    expect(encodeJson(new RawJson('{\r\n "a": "x\\ny"\n}'))).toBe('{   "a": "x\\ny" }');
  });

  it('refuses to be a part of an ordinary object', () => {
    expect(() => encodeJson({ a: new RawJson('1') })).toThrow('rawObject');
  });

  it('is composed with ordinary values; undefined members are left out', () => {
    const composed = rawObject({ a: new RawJson('1.0'), 'b"': [2], c: undefined });
    expect(composed.text).toBe('{"a":1.0,"b\\"":[2]}');
    expect(rawObject({}).text).toBe('{}');
  });

  it('is composed with strings of any kind, remembered or not', () => {
    const string = fc.oneof(
      fc.constantFrom('same', 'other', '"', '\\uD800', 'x'.repeat(200)),
      fc.string({ unit: 'binary' }),
    );
    const object = fc.dictionary(fc.constantFrom('a', 'b"', 'k'.repeat(100)), string);
    fc.assert(
      fc.property(fc.array(object, { maxLength: 30 }), (objects) => {
        for (const each of objects) expect(rawObject(each).text).toBe(JSON.stringify(each));
      }),
    );
  });

  it('is put on one line within what is composed', () => {
    const inner = rawObject({ a: new RawJson('[1,\n2]') });
    expect(encodeJson(rawObject({ inner }))).toBe('{"inner":{"a":[1, 2]}}');
  });

  it('decodes its value once', () => {
    const raw = new RawJson('{"a":1}');
    expect(raw.value).toBe(raw.value);
  });

  it('writes undefined as null, since a result has to be something', () => {
    expect(encodeJson(undefined)).toBe('null');
  });
});
