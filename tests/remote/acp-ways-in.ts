import { connectHttp, connectWebSocket, type Transport } from '@signalbox/acp';
import { openNodeSocket } from '@signalbox/acp/node-client';

/** Connects over WebSocket, and notices soon when the connection is lost. @param url of the server. */
export async function connectByWebSocket(url: string): Promise<Transport> {
  const { transport } = await connectWebSocket(`${url.replace('http', 'ws')}/acp`, {
    createSocket: (address) => openNodeSocket(address),
    pingMs: 500,
    handshakeMs: 2000,
  });
  return transport;
}

/** Connects over Streamable HTTP, and notices soon when the connection is lost. @param url of the server. */
export function connectByHttp(url: string): Promise<Transport> {
  const limits = { backOffMinMs: 5, backOffMaxMs: 50, deadMs: 4000, postMs: 4000 };
  return Promise.resolve(connectHttp(`${url}/acp`, { limits }).transport);
}
