import {
  isMethodName,
  missingCapability,
  PeerError,
  RawJson,
  rawMember,
  validateResult,
  type AgentConnection,
  type ClientCapabilities,
} from '@signalbox/acp';
import type { AttachedClient, ServedMethod } from '../client-services/attached-client.ts';

/**
 * What a client can do for an agent, over the client's connection: params and results pass with their
 * exact texts.
 *
 * @param onTerminal called with the id of each terminal that the client makes.
 */
export function toAttachedClient(
  connection: AgentConnection,
  capabilities: ClientCapabilities,
  onTerminal: (terminalId: string) => void,
): AttachedClient {
  return {
    capabilities,
    request: async (method, params, signal) => {
      const result = await call(connection, capabilities, method, params, signal);
      if (method === 'terminal/create') {
        onTerminal((result.value as { terminalId: string }).terminalId);
      }
      return result;
    },
    requestExtension: async (method, params, signal) => {
      const response = await connection.requestOther(method, params, { signal });
      return rawMember(response, 'result') ?? new RawJson('{}');
    },
    notifyExtension: (method, params) => void connection.notifyOther(method, params),
    elicitationComplete: (params) => void connection.notify('elicitation/complete', params),
  };
}

async function call(
  connection: AgentConnection,
  capabilities: ClientCapabilities,
  method: ServedMethod,
  params: RawJson,
  signal: AbortSignal,
): Promise<RawJson> {
  const missing = isMethodName(method) && missingCapability(method, { client: capabilities });
  if (missing) throw new PeerError('not_supported', `${method} needs ${missing}`);
  const response = await connection.requestOther(method, params, { signal });
  const problem = validateResult(method, response.result);
  if (problem !== undefined) {
    const what = `the client's answer to ${method}: ${problem.path} ${problem.message}`;
    throw new PeerError('invalid_response', what);
  }
  const raw = rawMember(response, 'result');
  // Some answer null where the protocol wants an empty object.
  return raw === undefined || response.result == null ? new RawJson('{}') : raw;
}
