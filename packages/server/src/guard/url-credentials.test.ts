import { expect, it } from 'vitest';
import { hasUrlCredential } from './url-credentials.ts';

it.for([
  ['/acp?token=x', true],
  ['/acp?access_token=x', true],
  ['/acp?a=1&Auth=x', true],
  ['/acp?%74oken=x', true],
  ['/login?code=x', true],
  ['/acp?', false],
  ['/acp', false],
  ['/v1/sessions?after=token&limit=1', false],
  ['/token', false],
  [`/v1/sessions?key=sbx_${'a'.repeat(43)}`, true],
  [`/v1/sessions/sbb_${'a'.repeat(43)}`, true],
  ['/v1/sessions/sbx_short', false],
] as const)('a secret in %s: %s', ([target, expected]) => {
  expect(hasUrlCredential(target)).toBe(expected);
});
