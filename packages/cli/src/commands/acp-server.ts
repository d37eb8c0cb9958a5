import { connectWebSocket, type Transport } from '@signalbox/acp';
import { openNodeSocket } from '@signalbox/acp/node-client';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { bridgeAcp, isClientError } from '@signalbox/client';
import { loadConfig } from '../config/config.ts';
import { followServer } from '../config/running-server.ts';
import { ExitCode } from '../exit-codes.ts';
import { ownStreams, tellEditor } from './acp-streams.ts';
import { signalled } from './signalled.ts';

/** The options of `signalbox acp --server`. */
export interface AcpServerOptions {
  /** The server's URL; empty: the one that runs on this machine. */
  readonly server: string;
  readonly agent?: string;
}

/**
 * `signalbox acp --server <url>`: an editor on sessions that live on a server. The connection may be lost
 * and found again without the editor's knowing.
 */
export async function acpServer({ server, agent }: AcpServerOptions): Promise<number> {
  const locate = followServer(loadConfig(), server === '' ? undefined : server);
  const path = agent === undefined ? '/acp' : `/acp/agents/${encodeURIComponent(agent)}`;
  const connect = async (signal: AbortSignal): Promise<Transport> => {
    const { url, token } = locate();
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const createSocket = (to: string) => openNodeSocket(to, { headers });
    const address = `${url.replace(/^http/, 'ws')}${path}`;
    const { transport } = await connectWebSocket(address, { createSocket, signal });
    return transport;
  };
  const bridge = bridgeAcp({
    editor: createStdioTransport(...ownStreams()),
    connect,
    log: tellEditor,
  });
  try {
    await Promise.race([bridge.ended, signalled()]);
    return ExitCode.Ok;
  } catch (error) {
    if (!isClientError(error)) throw error;
    tellEditor(`${error.message}; see "signalbox token create" on the server's machine`);
    return ExitCode.Usage;
  } finally {
    await bridge.close();
  }
}
