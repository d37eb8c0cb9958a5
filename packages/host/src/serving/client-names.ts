import type { Actor } from '@signalbox/core';
import type { Host } from '../hosting/host.ts';

type Client = Extract<Actor, { kind: 'client' }>;

/** Clients with an identity whose names are remembered; the one that came longest ago is forgotten first. */
const IDENTITIES_MAX = 4096;

/** The names that a host has given out. */
interface GivenNames {
  /** How often a name was given out. One that is free again is not given to another. */
  readonly counts: Map<string, number>;
  /** The names of clients that come back. */
  readonly byIdentity: Map<string, Client>;
}

const given = new WeakMap<Host, GivenNames>();

/**
 * A client of a host, under a name that no other client of it has or had, so that the log tells two
 * windows of one editor apart and a client knows its own prompts again (B86).
 *
 * @param identity what the client calls itself, the same over all its connections: it keeps its name then.
 */
export function nameClient(host: Host, wanted: string, identity?: string): Client {
  const names: GivenNames = given.get(host) ?? { counts: new Map(), byIdentity: new Map() };
  given.set(host, names);
  const key = identity === undefined ? undefined : JSON.stringify([wanted, identity]);
  const known = key === undefined ? undefined : names.byIdentity.get(key);
  const client = known ?? nextName(names.counts, wanted);
  if (key !== undefined) remember(names.byIdentity, key, client);
  return client;
}

/** Whether somebody is this client. */
export function isSameClient(who: Actor | undefined, client: Client): boolean {
  return who?.kind === 'client' && who.name === client.name;
}

function nextName(counts: Map<string, number>, wanted: string): Client {
  const count = (counts.get(wanted) ?? 0) + 1;
  counts.set(wanted, count);
  return { kind: 'client', name: count === 1 ? wanted : `${wanted} (${count})` };
}

function remember(byIdentity: Map<string, Client>, key: string, client: Client): void {
  byIdentity.delete(key);
  byIdentity.set(key, client);
  const [oldest] = byIdentity.keys();
  if (byIdentity.size > IDENTITIES_MAX && oldest !== undefined) byIdentity.delete(oldest);
}
