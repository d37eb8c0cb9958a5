import { createNodeFetch, openNodeSocket } from '@signalbox/acp/node-client';
import {
  createClient,
  type DoorKind,
  type SignalboxClient,
} from '../../packages/client/src/index.ts';
import type { MemoryNetwork } from './memory-network.ts';

/** Nothing is ever connected to this address. */
export const MEMORY_URL = 'http://127.0.0.1:1';

/** A client of the library in a network without sockets, which comes back without waiting. */
export function createMemoryClient({ agent }: MemoryNetwork, door: DoorKind): SignalboxClient {
  return createClient({
    url: MEMORY_URL,
    doors: [door],
    clientInfo: { name: 'reader', version: '1' },
    fetch: createNodeFetch({ agent }),
    createSocket: (url, headers) => openNodeSocket(url, { headers, agent }),
    random: () => 0,
  });
}
