import {
  isPeerError,
  isSupportedVersion,
  PROTOCOL_VERSION,
  type ClientCapabilities,
  type Implementation,
  type InitializeResponse,
  type Transport,
} from '@signalbox/acp';
import { ClientError } from '../client-error.ts';
import { createDeadline, orAborted } from './deadline.ts';
import type { Door } from './door.ts';
import { Link, type LinkParts } from './link.ts';

/** How long the steps of a handshake may take, in ms. */
export interface HandshakeLimits {
  /** Until the door is open, and then until a first answer has come on the stream of one over HTTP. Default 10,000. */
  readonly openMs: number;
  /** Until `initialize` is answered. The server may have to start its agent for that. Default 30,000. */
  readonly initializeMs: number;
}

export const DEFAULT_HANDSHAKE: HandshakeLimits = { openMs: 10_000, initializeMs: 30_000 };

/** What {@link dial} needs beside the door. */
export interface DialParts extends Omit<LinkParts, 'transport' | 'door'> {
  readonly handshake: HandshakeLimits;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
}

/**
 * Makes one attempt to connect: opens the door and shakes hands. Whatever goes wrong, nothing of it is
 * left.
 *
 * @throws ClientError `timeout`, `aborted`, `protocol_version` or `not_supported`, and what the door and
 *   the server say; the meaning of it is the business of `judgeFailure`.
 */
export async function dial(door: Door, parts: DialParts, signal: AbortSignal): Promise<Link> {
  const transport = await open(door, parts, signal);
  const link = new Link({ ...parts, transport, door: door.kind });
  try {
    link.server = await initialize(link, parts, signal);
    // Over HTTP the answer to that was the response itself, and says nothing of whether streams come through.
    if (door.kind !== 'websocket') await proveStreams(link, parts, signal);
    return link;
  } catch (error) {
    // Saying good-bye may take a while, and the next attempt need not wait for it.
    void link.close();
    throw error;
  }
}

async function open(door: Door, parts: DialParts, signal: AbortSignal): Promise<Transport> {
  const { clock, handshake } = parts;
  const what = `opening a ${door.kind} connection`;
  const deadline = createDeadline(clock, handshake.openMs, what, signal);
  const opening = door.connect(deadline.signal);
  try {
    return await orAborted(opening, deadline.signal, what);
  } catch (error) {
    // A door that opens too late opens for nobody.
    opening.then((transport) => transport.close()).catch(() => undefined);
    throw error;
  } finally {
    deadline.clear();
  }
}

async function initialize(
  link: Link,
  { clock, handshake, clientInfo, capabilities }: DialParts,
  signal: AbortSignal,
): Promise<InitializeResponse> {
  const deadline = createDeadline(clock, handshake.initializeMs, 'initialize', signal);
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo,
    clientCapabilities: capabilities,
  };
  try {
    const answer = link.request('initialize', params);
    const { result } = await orAborted(answer, deadline.signal, 'initialize');
    return checked(result);
  } catch (error) {
    throw isPeerError(error, 'closed') ? endedEarly(error) : error;
  } finally {
    deadline.clear();
  }
}

function endedEarly(cause: Error): ClientError {
  const message = 'the connection ended before the server had answered';
  return new ClientError('unreachable', message, { cause });
}

/**
 * Waits for an answer that travels on a stream. A proxy that holds streams back, or lets none through, is found out
 * before anybody asks for something that must not be done twice (B169).
 */
async function proveStreams(
  link: Link,
  { clock, handshake }: DialParts,
  signal: AbortSignal,
): Promise<void> {
  const what = `a first answer on the stream of a ${link.door} connection`;
  const deadline = createDeadline(clock, handshake.openMs, what, signal);
  try {
    await orAborted(link.proveAlive(), deadline.signal, what);
  } catch (error) {
    throw isPeerError(error, 'closed') ? endedEarly(error) : error;
  } finally {
    deadline.clear();
  }
}

/** @throws ClientError when this is no server that we can work with. */
function checked(result: unknown): InitializeResponse {
  const { protocolVersion, agentCapabilities } = (result ?? {}) as Partial<InitializeResponse>;
  if (typeof protocolVersion !== 'number' || !isSupportedVersion(protocolVersion)) {
    const message = `the server speaks version ${String(protocolVersion)} of the protocol, this library ${PROTOCOL_VERSION}`;
    throw new ClientError('protocol_version', message);
  }
  const facts = agentCapabilities?._meta?.['signalbox'] as { logView?: unknown } | undefined;
  if (facts?.logView !== true) {
    const message =
      'the server does not serve the log of sessions; it needs to be a Signalbox server';
    throw new ClientError('not_supported', message);
  }
  return result as InitializeResponse;
}
