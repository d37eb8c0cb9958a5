import type { Actor } from '@signalbox/core';
import type { Host } from '../hosting/host.ts';

type Client = Extract<Actor, { kind: 'client' }>;

/** How often a name was given out by a host. A name that is free again is not given to another. */
const given = new WeakMap<Host, Map<string, number>>();

/**
 * A client of a host, under a name that no other client of it has or had, so that the log tells two
 * windows of one editor apart and a client knows its own prompts again (B86).
 */
export function nameClient(host: Host, wanted: string): Client {
  const counts = given.get(host) ?? new Map<string, number>();
  given.set(host, counts);
  const count = (counts.get(wanted) ?? 0) + 1;
  counts.set(wanted, count);
  return { kind: 'client', name: count === 1 ? wanted : `${wanted} (${count})` };
}

/** Whether somebody is this client. */
export function isSameClient(who: Actor | undefined, client: Client): boolean {
  return who?.kind === 'client' && who.name === client.name;
}
