import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePointer, toPointer } from './pointer.ts';

const key = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', 'é') });

test('a pointer leads back to the keys that it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(key, fc.nat(9))), (path) => {
      expect(parsePointer(toPointer(path))).toEqual(path.map(String));
    }),
  );
});

test.for(['a', 'a/b', '/~', '/a~2', ' /a'])('%j is no pointer', (text) => {
  expect(parsePointer(text)).toBeUndefined();
});
