import { connectHttp, connectWebSocket, RawJson, type Transport } from '@signalbox/acp';
import { createNodeFetch, openNodeSocket } from '@signalbox/acp/node-client';
import type { DoorKind } from '../../packages/client/src/index.ts';
import { AcpReader } from './acp-reader.ts';
import { LogReader } from './log-reader.ts';
import { createMemoryClient, MEMORY_URL } from './memory-client.ts';
import type { MemoryNetwork } from './memory-network.ts';
import type { StagedSession } from './memory-stage.ts';
import type { Reader } from './reader.ts';

/** Opens a reader of a session. */
export type OpenReader = (network: MemoryNetwork, staged: StagedSession) => Promise<Reader>;

const DRIVER = { kind: 'client', name: 'driver' } as const;

/** All ways in which a session is read from afar. */
export const WAYS_IN: readonly (readonly [string, OpenReader])[] = [
  ['the client library over WebSocket', ofLibrary('websocket')],
  ['the client library over HTTP', ofLibrary('http')],
  ['the client library by polls', ofLibrary('poll')],
  ['an ACP client over WebSocket', ofAcp(toWebSocket, 2)],
  ['an ACP client over HTTP', ofAcp(toHttp, 1)],
];

function ofLibrary(door: DoorKind): OpenReader {
  return (network, { session }) => LogReader.open(createMemoryClient(network, door), session.id);
}

/** @param askedMax over HTTP the connection outlives its streams, and with it what was asked. */
function ofAcp(
  connect: (network: MemoryNetwork) => Promise<Transport>,
  askedMax: number,
): OpenReader {
  return (network, { session }) => {
    const reader = new AcpReader({
      connect: () => connect(network),
      sessionId: session.id,
      prompt: (text) =>
        session.prompt({
          content: new RawJson(JSON.stringify([{ type: 'text', text }])),
          by: DRIVER,
        }),
      askedMax,
    });
    return Promise.resolve(reader);
  };
}

async function toWebSocket({ agent }: MemoryNetwork): Promise<Transport> {
  const createSocket = (url: string) => openNodeSocket(url, { agent });
  const { transport } = await connectWebSocket(`${MEMORY_URL.replace('http', 'ws')}/acp`, {
    createSocket,
  });
  return transport;
}

function toHttp({ agent }: MemoryNetwork): Promise<Transport> {
  const { transport } = connectHttp(`${MEMORY_URL}/acp`, {
    fetch: createNodeFetch({ agent }),
    random: () => 0,
  });
  return Promise.resolve(transport);
}
