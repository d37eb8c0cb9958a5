import { describe, expect, it } from 'vitest';
import { MessageRoutes } from './message-routes.ts';

describe('the answer to a request', () => {
  it('goes to the stream of its session, or else to that of the connection', () => {
    const routes = new MessageRoutes();
    routes.addRequest('1', 'session/prompt', 's');
    routes.addRequest('2', 'session/load', 's');
    routes.addRequest('3', 'session/new', undefined);
    const to = ['1', '2', '3', 'unknown'].map((id) => routes.takeAnswer(id).sessionId);
    expect(to).toEqual(['s', undefined, undefined, undefined]);
  });

  it('leaves the session if the client wants nothing more of it', () => {
    const routes = new MessageRoutes();
    routes.addRequest('1', 'session/close', 's');
    routes.addRequest('2', 'session/prompt', 'other');
    expect(routes.takeAnswer('1')).toEqual({ sessionId: 's', leaving: 's' });
  });

  it('does not leave a session that the client has asked for again', () => {
    const routes = new MessageRoutes();
    routes.addRequest('1', 'session/close', 's');
    routes.addRequest('2', 'session/load', 's');
    expect(routes.takeAnswer('1')).toEqual({ sessionId: 's', leaving: undefined });
  });
});
