import { Peer, type PeerHandler, type PeerOptions, type PeerProblem } from '@signalbox/acp';
import { ScriptedTransport } from './scripted-transport.ts';

/** A peer whose other side is the test, with what it reported. */
export interface ScriptedPeer {
  readonly wire: ScriptedTransport;
  readonly peer: Peer;
  readonly problems: PeerProblem[];
}

/** Makes a peer on a scripted transport. What the handler does not say is refused or ignored. */
export function createScriptedPeer(
  handler: Partial<PeerHandler> = {},
  options: PeerOptions = {},
): ScriptedPeer {
  const wire = new ScriptedTransport();
  const problems: PeerProblem[] = [];
  const peer = new Peer(
    wire,
    {
      onRequest: () => ({}),
      onNotification: () => undefined,
      onProblem: (problem) => problems.push(problem),
      ...handler,
    },
    options,
  );
  return { wire, peer, problems };
}

/** The text of a request. */
export function requestFrame(id: unknown, method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** The text of a notification. */
export function notificationFrame(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** The text of a response with a result. */
export function resultFrame(id: unknown, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** Collects rejections that nobody handles, until the returned function is called. */
export function watchUnhandledRejections(): () => unknown[] {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  return () => {
    process.off('unhandledRejection', note);
    return unhandled;
  };
}
