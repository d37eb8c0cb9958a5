import { describe, expect, it } from 'vitest';
import { isServerError } from '../server-error.ts';
import { assertSafeExposure, type Exposure } from './exposure.ts';

const LOCAL: Exposure = {
  host: '127.0.0.1',
  hasTls: false,
  isBehindProxy: false,
  requiresAuth: true,
};

function isRefused(exposure: Partial<Exposure>): boolean {
  try {
    assertSafeExposure({ ...LOCAL, ...exposure });
    return false;
  } catch (error) {
    expect(isServerError(error, 'exposure_refused')).toBe(true);
    return true;
  }
}

describe('what a server is exposed to', () => {
  it('may be this machine, without TLS, and without authentication where nothing stands in front', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(isRefused({ host })).toBe(false);
      expect(isRefused({ host, requiresAuth: false })).toBe(false);
      expect(isRefused({ host, isBehindProxy: true })).toBe(false);
      expect(isRefused({ host, isBehindProxy: true, requiresAuth: false })).toBe(true);
    }
  });

  it('may be other machines only with TLS of its own or of a proxy, and never without authentication', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'signalbox.example', '127.evil.example']) {
      expect(isRefused({ host })).toBe(true);
      expect(isRefused({ host, hasTls: true })).toBe(false);
      expect(isRefused({ host, isBehindProxy: true })).toBe(false);
      expect(isRefused({ host, hasTls: true, requiresAuth: false })).toBe(true);
      expect(isRefused({ host, isBehindProxy: true, requiresAuth: false })).toBe(true);
    }
  });

  it('is refused with the reason and what to do', () => {
    expect(() => assertSafeExposure({ ...LOCAL, host: '0.0.0.0' })).toThrow(
      /0\.0\.0\.0 can be reached from other machines, and without TLS/,
    );
  });
});
