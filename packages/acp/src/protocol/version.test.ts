import { expect, test } from 'vitest';
import { isSupportedVersion, negotiateVersion, PROTOCOL_VERSION } from './version.ts';

const CASES = [
  { requested: PROTOCOL_VERSION, answer: PROTOCOL_VERSION, why: 'a supported version' },
  { requested: 0, answer: PROTOCOL_VERSION, why: 'an older one' },
  { requested: 2, answer: PROTOCOL_VERSION, why: 'a newer one' },
  { requested: 65_535, answer: PROTOCOL_VERSION, why: 'the largest' },
];

test.each(CASES)('answers $answer when $requested is requested: $why', ({ requested, answer }) => {
  expect(negotiateVersion(requested)).toBe(answer);
});

test('supports the version it answers with, and no other', () => {
  expect(isSupportedVersion(negotiateVersion(9))).toBe(true);
  expect(isSupportedVersion(9)).toBe(false);
});
