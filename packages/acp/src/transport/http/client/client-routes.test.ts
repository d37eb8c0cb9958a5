import { describe, expect, it } from 'vitest';
import { readEnvelope } from '../envelope.ts';
import { ClientRoutes } from './client-routes.ts';

const DETACH = request(1, '_signalbox/session/detach');
const ATTACH = request(2, '_signalbox/session/attach');
const DETACHED = '{"jsonrpc":"2.0","id":1,"result":{}}';

function request(id: number, method: string, sessionId = 's'): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { sessionId } });
}

/** What the answer to the detaching means after these requests. */
function leftBehind(...sent: string[]): string | undefined {
  const routes = new ClientRoutes();
  for (const frame of sent) routes.sending(readEnvelope(frame));
  return routes.received(DETACHED, 's').left;
}

describe('a session', () => {
  it('is left when the server has answered so', () => {
    expect(leftBehind(DETACH)).toBe('s');
  });

  it('is not left when it was asked for again before that', () => {
    expect(leftBehind(DETACH, ATTACH)).toBeUndefined();
  });

  it('is left although another one is asked for', () => {
    expect(leftBehind(DETACH, request(2, '_signalbox/session/attach', 'other'))).toBe('s');
  });
});
