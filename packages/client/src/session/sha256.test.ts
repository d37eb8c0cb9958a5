import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Sha256 } from './sha256.ts';

test.for([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 1000, 100_000])(
  'the digest of %i bytes, however they are divided, is that of everybody else',
  (length) => {
    const bytes = randomBytes(length);
    const expected = createHash('sha256').update(bytes).digest('hex');
    for (const step of [1, 63, 64, 65, length + 1]) {
      if (length / step > 5000) continue;
      const sha = new Sha256();
      for (let at = 0; at < length; at += step) sha.update(bytes.subarray(at, at + step));
      expect(sha.digest()).toBe(expected);
    }
  },
);
