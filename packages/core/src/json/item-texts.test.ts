import { expect, test } from 'vitest';
import { itemTexts } from './item-texts.ts';

test.for([
  ['[]', []],
  ['[ ]', []],
  [' [ 1.0 , 2 ]', ['1.0', '2']],
  ['[1]', ['1']],
  ['["a,b","c\\"]","d\\\\"]', ['"a,b"', '"c\\"]"', '"d\\\\"']],
  ['[{"a":[1,2]},[3,{"b":"}"}],null]', ['{"a":[1,2]}', '[3,{"b":"}"}]', 'null']],
  ['[12345678901234567890,1.0]', ['12345678901234567890', '1.0']],
  ['[null,true,\n"x"]', ['null', 'true', '"x"']],
] as const)('the items of %s', ([list, items]) => {
  expect(itemTexts(list)).toEqual(items);
});
