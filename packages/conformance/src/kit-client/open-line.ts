import type { Program } from '../process/child.ts';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import type { TransportKind } from '../transport-kind.ts';
import type { AgentLine, AgentLineEvents, LineTimeouts } from './agent-line.ts';
import { HttpLine } from './http-line.ts';
import { ProcessLine } from './process-line.ts';
import { SocketLine } from './socket-line.ts';

/** The agent under test: a program that is started for each connection, or an endpoint that is there. */
export type AgentTarget =
  | { readonly program: Program; readonly endpoint?: undefined }
  | { readonly endpoint: RemoteEndpoint; readonly program?: undefined };

/** The transport by which a target is spoken to. */
export function transportOf({ endpoint }: AgentTarget): TransportKind {
  return endpoint?.transport ?? 'stdio';
}

/** Begins a connection. One that cannot be made ends at once. */
export function openLine(
  target: AgentTarget,
  events: AgentLineEvents,
  timeouts: LineTimeouts,
): AgentLine {
  if (target.endpoint === undefined) return new ProcessLine(target.program, events);
  const { endpoint } = target;
  const Line = endpoint.transport === 'websocket' ? SocketLine : HttpLine;
  return new Line(endpoint, events, timeouts);
}
