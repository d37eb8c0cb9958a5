import { RawJson } from '@signalbox/acp';
import { describe, expect, it } from 'vitest';
import { rawItems, rawList } from './raw-items.ts';

const CASES: [text: string, items: string[]][] = [
  ['[]', []],
  [' [ ] ', []],
  ['[1]', ['1']],
  ['[ 1.0 , 12345678901234567890 ]', ['1.0', '12345678901234567890']],
  ['["a,b","]","\\"","\\\\"]', ['"a,b"', '"]"', '"\\""', '"\\\\"']],
  ['[{"a":[1,2],"b":"}"},[3,[4]]]', ['{"a":[1,2],"b":"}"}', '[3,[4]]']],
  ['[null,true,\n"x"]', ['null', 'true', '"x"']],
  ['{"a":[1]}', []],
  ['"[1]"', []],
];

describe('rawItems', () => {
  it.each(CASES)('gives the items of %s with their exact texts', (text, items) => {
    const found = rawItems(new RawJson(text));
    expect(found.map((item) => item.text)).toEqual(items);
    for (const item of found) expect(item.value).toEqual(JSON.parse(item.text));
  });

  it('is undone by rawList', () => {
    const text = '[1.0,{"a":"b"},[]]';
    expect(rawList(rawItems(new RawJson(text))).text).toBe(text);
  });
});
