import { expect, test } from 'vitest';
import { framesIn, readFailures } from './test-failure.ts';

test("reads the output of node's runner", () => {
  const [failure] = readFailures(`
test at test/cart.test.js:16:1
\u001b[31m✖ a code takes ten percent off\u001b[39m
  8800 !== 7200
      at TestContext.<anonymous> (file:///home/me/shop/test/cart.test.js:18:10)
      at Test.run (node:internal/test_runner/test:1402:25)
    actual: 8800,
    expected: 7200,`);
  expect(failure).toMatchObject({ expected: '7200', actual: '8800' });
  const files = new Set(['test/cart.test.js']);
  const paths = failure === undefined ? [] : framesIn(failure, '/home/me/shop', files);
  expect(paths.map(({ line }) => line)).toEqual([16, 18]);
});

test('reads the output of other runners', () => {
  const [failure] = readFailures(`
  Expected: 3
  Received: 4
   ❯ src/sum.test.ts:5:18`);
  expect(failure).toMatchObject({
    expected: '3',
    actual: '4',
    frames: [{ path: 'src/sum.test.ts', line: 5 }],
  });
});
