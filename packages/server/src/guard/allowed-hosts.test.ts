import { describe, expect, it } from 'vitest';
import { isServerError } from '../server-error.ts';
import { AllowedHosts } from './allowed-hosts.ts';
import { AllowedOrigins } from './allowed-origins.ts';
import { parseAuthority } from './authority.ts';

function hostsOf(configured: string[] = [], port = 7000): AllowedHosts {
  const hosts = new AllowedHosts(configured);
  hosts.setPort(port);
  return hosts;
}

function accepts(hosts: AllowedHosts, header: string, localAddress = '127.0.0.1'): boolean {
  const authority = parseAuthority(header);
  return authority !== undefined && hosts.accepts(authority, localAddress, 80);
}

describe('the names of a server', () => {
  it.for([
    ['localhost:7000', true],
    ['LocalHost:7000', true],
    ['127.0.0.1:7000', true],
    ['[::1]:7000', true],
    ['localhost:7001', false],
    ['localhost', false],
    ['evil.test:7000', false],
    ['localhost.evil.test:7000', false],
    ['evil.test', false],
    ['[::2]:7000', false],
    ['10.0.0.1:7000', false],
    ['localhost:7000@evil.test', false],
    ['localhost:7000/x', false],
    ['', false],
  ] as const)('%s: %s', ([header, expected]) => {
    expect(accepts(hostsOf(), header)).toBe(expected);
  });

  it('are the address at which a connection arrived, too', () => {
    expect(accepts(hostsOf(), '192.168.1.5:7000', '192.168.1.5')).toBe(true);
    expect(accepts(hostsOf(), '192.168.1.5:7000', '::ffff:192.168.1.5')).toBe(true);
    expect(accepts(hostsOf(), '[fe80::1]:7000', 'fe80::1')).toBe(true);
    expect(accepts(hostsOf(), '192.168.1.6:7000', '192.168.1.5')).toBe(false);
  });

  it('need no port where it is the usual one', () => {
    expect(accepts(hostsOf([], 80), 'localhost')).toBe(true);
  });

  it('are those that were configured: with a port for that port, without one for all', () => {
    const hosts = hostsOf(['Signalbox.example', 'other.example:8443']);
    expect(accepts(hosts, 'signalbox.example')).toBe(true);
    expect(accepts(hosts, 'signalbox.example:1234')).toBe(true);
    expect(accepts(hosts, 'other.example:8443')).toBe(true);
    expect(accepts(hosts, 'other.example')).toBe(false);
  });

  it.for(['http://a.example', 'a b', 'a/b', '*', ''])('are not configured as %j', (text) => {
    let thrown: unknown;
    try {
      new AllowedHosts([text]);
    } catch (error) {
      thrown = error;
    }
    expect(isServerError(thrown, 'options_invalid')).toBe(true);
  });
});

describe('the origins of pages', () => {
  const origins = new AllowedOrigins(
    hostsOf(['box.example']),
    ['https://editor.example'],
    ['http'],
  );

  it.for([
    ['http://localhost:7000', true],
    ['http://127.0.0.1:7000', true],
    ['http://[::1]:7000', true],
    ['https://localhost:7000', false],
    ['http://localhost:5173', false],
    ['http://box.example', true],
    ['https://editor.example', true],
    ['https://EDITOR.example', true],
    ['https://editor.example:444', false],
    ['https://editor.example.evil.test', false],
    ['http://evil.test', false],
    ['http://evil.test:7000', false],
    ['null', false],
    ['file://', false],
    ['', false],
    ['http://localhost:7000/', false],
  ] as const)('%s: %s', ([origin, expected]) => {
    expect(origins.accepts(origin, '127.0.0.1')).toBe(expected);
  });

  it('may have any scheme where they were configured', () => {
    const exact = new AllowedOrigins(hostsOf(), ['vscode-webview://abc'], ['http']);
    expect(exact.accepts('vscode-webview://abc', undefined)).toBe(true);
    expect(exact.accepts('vscode-webview://abd', undefined)).toBe(false);
  });

  it('have no path', () => {
    expect(() => new AllowedOrigins(hostsOf(), ['https://a.example/x'], [])).toThrow(
      '"https://a.example/x" is not an origin',
    );
  });
});
