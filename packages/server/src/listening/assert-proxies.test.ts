import { expect, it } from 'vitest';
import { isServerError } from '../server-error.ts';
import { assertProxies } from './assert-proxies.ts';

it.for(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])('%s is a proxy', (text) => {
  expect(() => assertProxies([text])).not.toThrow();
});

it.for(['', 'proxy.example', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '*'])(
  '%j is none',
  (text) => {
    let error: unknown;
    try {
      assertProxies(['127.0.0.1', text]);
    } catch (thrown) {
      error = thrown;
    }
    expect(isServerError(error, 'options_invalid')).toBe(true);
  },
);
