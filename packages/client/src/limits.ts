import { DEFAULT_RECONNECT, type ReconnectLimits } from './connection/connection.ts';
import { DEFAULT_HANDSHAKE, type HandshakeLimits } from './connection/dial.ts';
import { DEFAULT_LIVENESS, type LivenessLimits } from './connection/liveness.ts';
import { DEFAULT_EVENT_BUFFER, type EventBufferLimits } from './session/event-buffer.ts';
import { DEFAULT_CALL_TIMEOUTS, type CallTimeouts } from './session/remote-session.ts';

/** Every limit of a client. Each can be set; the defaults stand with each of them. */
export interface ClientLimits {
  readonly handshake: HandshakeLimits;
  readonly reconnect: ReconnectLimits;
  readonly liveness: LivenessLimits;
  readonly calls: CallTimeouts;
  readonly events: EventBufferLimits;
}

/** Limits that a user of the library sets. */
export type GivenLimits = { readonly [Group in keyof ClientLimits]?: Partial<ClientLimits[Group]> };

/** No timer is longer. */
const LIMIT_MAX = 2 ** 31 - 1;

/**
 * Fills in the defaults.
 *
 * @throws RangeError when a limit is no whole number from 1 to 2^31 - 1.
 */
export function completeLimits(given: GivenLimits = {}): ClientLimits {
  const limits: ClientLimits = {
    handshake: { ...DEFAULT_HANDSHAKE, ...given.handshake },
    reconnect: { ...DEFAULT_RECONNECT, ...given.reconnect },
    liveness: { ...DEFAULT_LIVENESS, ...given.liveness },
    calls: { ...DEFAULT_CALL_TIMEOUTS, ...given.calls },
    events: { ...DEFAULT_EVENT_BUFFER, ...given.events },
  };
  for (const [group, values] of Object.entries(limits)) {
    for (const [name, value] of Object.entries(values as object)) {
      if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LIMIT_MAX) continue;
      const text = `limits.${group}.${name} must be a whole number from 1 to ${LIMIT_MAX}`;
      throw new RangeError(`${text}, not ${String(value)}`);
    }
  }
  return limits;
}
