import { describeTransportContract } from '../../../../../tests/contracts/transport-contract.ts';
import { EndpointStage } from '../../../../../tests/support/web-socket/endpoint-stage.ts';
import { INITIALIZE, withoutFirstFrame } from '../../../../../tests/support/web-socket/frames.ts';
import { SOCKET_KINDS } from '../../../../../tests/support/web-socket/socket-kinds.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import { connectWebSocket } from './connect-web-socket.ts';
import type { WebSocketLike } from './web-socket-like.ts';

for (const [kind, createSocket] of Object.entries(SOCKET_KINDS)) {
  describeTransportContract(`a client with ${kind}`, async () => {
    const { client, server, dispose } = await connect(createSocket);
    return { near: client, far: server, dispose };
  });

  describeTransportContract(`the endpoint of a client with ${kind}`, async () => {
    const { client, server, dispose } = await connect(createSocket);
    return { near: server, far: client, dispose };
  });
}

async function connect(createSocket: (url: string) => WebSocketLike): Promise<{
  client: Transport;
  server: Transport;
  dispose: () => Promise<void>;
}> {
  const stage = await EndpointStage.start();
  const { transport } = await connectWebSocket(stage.url, { createSocket, closeMs: 500 });
  void transport.send(INITIALIZE);
  const { transport: incoming } = await stage.nextConnection();
  return {
    client: transport,
    server: withoutFirstFrame(incoming),
    dispose: () => stage.dispose(),
  };
}
