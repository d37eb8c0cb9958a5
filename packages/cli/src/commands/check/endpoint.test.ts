import { describe, expect, test } from 'vitest';
import { toEndpoint } from './endpoint.ts';

const URL = 'https://agents.example/acp';

describe('the endpoint of a check', () => {
  test('is none without a URL', () => {
    expect(toEndpoint({}, { SIGNALBOX_TOKEN: 'secret' })).toBeUndefined();
  });

  test('is spoken to as its URL begins, unless another transport is named', () => {
    const transportOf = (url: string, transport?: string) =>
      toEndpoint({ url, ...(transport === undefined ? {} : { transport }) }, {})?.transport;
    expect(transportOf(URL)).toBe('http');
    expect(transportOf('wss://agents.example/acp')).toBe('websocket');
    expect(transportOf(URL, 'websocket')).toBe('websocket');
    expect(transportOf('ws://agents.example/acp', 'http')).toBe('http');
  });

  test('gets the token of the environment, unless a header says who asks', () => {
    const environment = { SIGNALBOX_TOKEN: 'secret' };
    expect(toEndpoint({ url: URL }, environment)?.headers).toEqual({
      Authorization: 'Bearer secret',
    });
    const header = ['authorization: Basic a:b', 'X-Team: kit'];
    expect(toEndpoint({ url: URL, header }, environment)?.headers).toEqual({
      authorization: 'Basic a:b',
      'X-Team': 'kit',
    });
    expect(toEndpoint({ url: URL }, {})?.headers).toEqual({});
  });

  test('never repeats a header or credentials that it refuses', () => {
    for (const options of [
      { url: URL, header: ['secret'] },
      { url: URL, header: ['X: a\r\nsecret: b'] },
      { url: 'https://me:secret@agents.example/acp' },
    ]) {
      expect(() => toEndpoint(options, {})).toThrow(/^--(header|url) (is|holds) /);
      expect(() => toEndpoint(options, {})).not.toThrow(/secret/);
    }
  });
});
