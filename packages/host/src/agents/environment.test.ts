import { expect, test } from 'vitest';
import { toAgentEnvironment } from './environment.ts';

test('takes the documented variables over and nothing else', () => {
  const base = {
    PATH: '/bin',
    HOME: '/root',
    LANG: 'C',
    LC_TIME: 'C',
    XDG_CONFIG_HOME: '/c',
    HTTPS_PROXY: 'p',
    no_proxy: 'q',
    TMPDIR: '/t',
    SIGNALBOX_TOKEN: 's',
    AWS_SECRET_ACCESS_KEY: 's',
    SIGNALBOX_SESSION: 'outer',
    LC_evil: 's',
    MY_https_proxy: 's',
    UNSET: undefined,
  };
  expect(toAgentEnvironment(base, [], {})).toEqual({
    PATH: '/bin',
    HOME: '/root',
    LANG: 'C',
    LC_TIME: 'C',
    XDG_CONFIG_HOME: '/c',
    HTTPS_PROXY: 'p',
    no_proxy: 'q',
    TMPDIR: '/t',
  });
});

test('adds what the entry names, and what it sets wins', () => {
  const base = { PATH: '/bin', KEY: 'a\nb', OTHER: 'x' };
  expect(toAgentEnvironment(base, ['KEY', 'ABSENT'], { PATH: '/mine', NEW: '1' })).toEqual({
    PATH: '/mine',
    KEY: 'a\nb',
    NEW: '1',
  });
});
