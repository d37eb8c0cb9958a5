import { SimulatedClock } from '@signalbox/acp';
import { SignalboxClient, type ClientParts } from '../../../packages/client/src/client.ts';
import type { ConnectionState } from '../../../packages/client/src/connection/connection-state.ts';
import type { Door } from '../../../packages/client/src/connection/door.ts';
import { completeLimits } from '../../../packages/client/src/limits.ts';
import { LogServer } from './log-server.ts';

/** A client of a scripted server, with time that only the test moves. */
export interface ClientKit {
  readonly server: LogServer;
  readonly clock: SimulatedClock;
  readonly client: SignalboxClient;
  /** The kinds of all states so far. */
  readonly states: ConnectionState[];
  readonly lines: string[];
  /** From now on, time moves on whenever a connection or a session waits for its next attempt. */
  dontWait(): void;
}

/** Makes a client. `random` gives half of every bound, so that waits can be told in advance. */
export function createClientKit(
  more: Partial<ClientParts> = {},
  server: LogServer = new LogServer(),
  doors: readonly Door[] = [server.door()],
): ClientKit {
  const clock = new SimulatedClock();
  const lines: string[] = [];
  let isHurrying = false;
  const client = new SignalboxClient({
    agent: undefined,
    doorsTo: () => doors,
    clientInfo: { name: 'test', version: '1' },
    capabilities: {},
    handlers: {},
    limits: completeLimits(),
    clock,
    random: () => 0.5,
    log: (line) => {
      lines.push(line);
      const waitMs = isHurrying ? /in (\d+) ms$/.exec(line)?.[1] : undefined;
      // The time has come when everybody has heard that it is waited for.
      if (waitMs !== undefined) queueMicrotask(() => clock.advance(Number(waitMs)));
    },
    watchWakeSignals: () => () => undefined,
    ...more,
  });
  const states = [client.state];
  client.subscribe((state) => states.push(state));
  const dontWait = (): void => {
    isHurrying = true;
    const { state } = client;
    if (state.kind === 'waiting') clock.advance(state.retryAt - clock.now());
  };
  return { server, clock, client, states, lines, dontWait };
}

/** Resolves when the client is in a state of this kind, and one that `isRight`. */
export function whenState<K extends ConnectionState['kind']>(
  { client }: Pick<ClientKit, 'client'>,
  kind: K,
  isRight: (state: Extract<ConnectionState, { kind: K }>) => boolean = () => true,
): Promise<Extract<ConnectionState, { kind: K }>> {
  return new Promise((resolve) => {
    const look = (): void => {
      const state = client.state as Extract<ConnectionState, { kind: K }>;
      if (state.kind !== kind || !isRight(state)) return;
      unsubscribe();
      resolve(state);
    };
    const unsubscribe = client.subscribe(look);
    look();
  });
}
