import { describeTransportContract } from '../../../../../tests/contracts/transport-contract.ts';
import { FETCH_KINDS, type FetchKind } from '../../../../../tests/support/http/fetches.ts';
import {
  carryingAnything,
  INITIALIZE,
  INITIALIZED,
} from '../../../../../tests/support/http/frames.ts';
import { HttpStage } from '../../../../../tests/support/http/http-stage.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import { connectHttp } from './client/connect-http.ts';

for (const kind of FETCH_KINDS) {
  for (const poll of [false, true]) {
    const how = `${poll ? 'polls' : 'reads streams'} by ${kind.by}`;

    describeTransportContract(`a client over HTTP that ${how}`, async () => {
      const { client, server, dispose } = await connect(poll, kind);
      return { near: client, far: server, dispose };
    });

    describeTransportContract(`the endpoint of a client over HTTP that ${how}`, async () => {
      const { client, server, dispose } = await connect(poll, kind);
      return { near: server, far: client, dispose };
    });
  }
}

async function connect(
  poll: boolean,
  { create }: FetchKind,
): Promise<{ client: Transport; server: Transport; dispose: () => Promise<void> }> {
  const stage = await HttpStage.start();
  const options = { poll, limits: { closeMs: 3000 }, fetch: create() };
  const { transport } = connectHttp(stage.url, options);
  void transport.send(INITIALIZE);
  const { transport: incoming } = await stage.nextConnection();
  void incoming.send(INITIALIZED);
  return {
    client: carryingAnything(transport),
    server: carryingAnything(incoming),
    dispose: () => stage.dispose(),
  };
}
