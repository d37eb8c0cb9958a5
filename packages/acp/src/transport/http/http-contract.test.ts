import { describeTransportContract } from '../../../../../tests/contracts/transport-contract.ts';
import {
  carryingAnything,
  INITIALIZE,
  INITIALIZED,
} from '../../../../../tests/support/http/frames.ts';
import { HttpStage } from '../../../../../tests/support/http/http-stage.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import { connectHttp } from './client/connect-http.ts';

for (const poll of [false, true]) {
  const how = poll ? 'polls' : 'reads streams';

  describeTransportContract(`a client over HTTP that ${how}`, async () => {
    const { client, server, dispose } = await connect(poll);
    return { near: client, far: server, dispose };
  });

  describeTransportContract(`the endpoint of a client over HTTP that ${how}`, async () => {
    const { client, server, dispose } = await connect(poll);
    return { near: server, far: client, dispose };
  });
}

async function connect(
  poll: boolean,
): Promise<{ client: Transport; server: Transport; dispose: () => Promise<void> }> {
  const stage = await HttpStage.start();
  const { transport } = connectHttp(stage.url, { poll, limits: { closeMs: 500 } });
  void transport.send(INITIALIZE);
  const { transport: incoming } = await stage.nextConnection();
  void incoming.send(INITIALIZED);
  return {
    client: carryingAnything(transport),
    server: carryingAnything(incoming),
    dispose: () => stage.dispose(),
  };
}
