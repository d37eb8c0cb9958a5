import { describe, expect, test } from 'vitest';
import { endpointUrl, toWebSocketUrl } from './server-url.ts';

describe('the address of an endpoint', () => {
  test.for([
    ['http://127.0.0.1:4870', undefined, 'http://127.0.0.1:4870/acp'],
    ['http://127.0.0.1:4870/', 'claude', 'http://127.0.0.1:4870/acp/agents/claude'],
    ['https://box.example/behind/proxy/', undefined, 'https://box.example/behind/proxy/acp'],
    ['http://[::1]:80', undefined, 'http://[::1]/acp'],
  ] as const)('of %s for agent %s is %s', ([url, agent, expected]) => {
    expect(endpointUrl(url, agent)).toBe(expected);
  });

  test('of a WebSocket is the same with another scheme', () => {
    expect(toWebSocketUrl('http://a/acp')).toBe('ws://a/acp');
    expect(toWebSocketUrl('https://a/acp')).toBe('wss://a/acp');
  });

  test.for([
    ['no url', undefined],
    ['ws://a', undefined],
    ['http://user:secret@a', undefined],
    ['http://a?token=secret', undefined],
    ['http://a', '../admin'],
    ['http://a', ''],
  ] as const)('is refused for %s and agent %s', ([url, agent]) => {
    expect(() => endpointUrl(url, agent)).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });
});
