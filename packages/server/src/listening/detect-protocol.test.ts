import { describe, expect, it } from 'vitest';
import { detectProtocol } from './detect-protocol.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

describe('the first bytes of a connection', () => {
  it.for([
    ['GET / HTTP/1.1\r\n', 'http1'],
    ['P', undefined],
    ['PO', 'http1'],
    ['PRI * HTTP/1', 'http1'],
    [PREFACE.slice(0, -1), undefined],
    [PREFACE, 'http2'],
    [`${PREFACE}\0\0\0\x04`, 'http2'],
    ['\x16\x03\x01', 'http1'],
    ['', undefined],
  ] as const)('%j are taken for %s', ([text, expected]) => {
    expect(detectProtocol(Buffer.from(text, 'latin1'))).toBe(expected);
  });
});
