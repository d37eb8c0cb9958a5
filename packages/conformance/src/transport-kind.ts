/** How the messages of a checked connection travel. */
export type TransportKind = 'stdio' | 'websocket' | 'http';

/** The transports behind an address. */
export type RemoteKind = Exclude<TransportKind, 'stdio'>;

/** The names of the transports in reports. */
export const TRANSPORT_TITLES: Readonly<Record<TransportKind, string>> = {
  stdio: 'stdio',
  websocket: 'WebSocket',
  http: 'Streamable HTTP',
};

/** Several transports in a sentence. */
export function listTransports(kinds: readonly TransportKind[]): string {
  return kinds.map((kind) => TRANSPORT_TITLES[kind]).join(' and ');
}
