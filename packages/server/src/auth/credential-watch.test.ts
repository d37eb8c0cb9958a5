import { createMemoryJournal } from '@signalbox/core';
import { SimulatedClock } from '@signalbox/host';
import { beforeEach, expect, it } from 'vitest';
import { CredentialWatch } from './credential-watch.ts';
import { Credentials } from './credentials.ts';
import { ANYBODY } from './principal.ts';

const RECHECK_MS = 5000;

let clock: SimulatedClock;
let credentials: Credentials;
/** The same records, as another process sees them. */
let elsewhere: Credentials;
let watch: CredentialWatch;
let ended: string[];

beforeEach(() => {
  const { records } = createMemoryJournal();
  clock = new SimulatedClock();
  credentials = new Credentials({ records, clock });
  elsewhere = new Credentials({ records, clock });
  ended = [];
  watch = new CredentialWatch({
    credentials,
    clock,
    recheckMs: RECHECK_MS,
    onEnded: (id) => ended.push(id),
    onFailed: (error) => {
      throw error;
    },
  });
});

async function newId(): Promise<string> {
  const { credential } = await credentials.createToken({ name: 'x', role: 'driver' });
  return credential.id;
}

it('tells at once what this process revokes', async () => {
  const id = await newId();
  await credentials.revoke(id);
  expect(ended).toEqual([id]);
});

it('finds out what another process revokes, of credentials in use', async () => {
  const [used, unused] = [await newId(), await newId()];
  watch.add(used);
  await elsewhere.revoke(used);
  await elsewhere.revoke(unused);
  await watch.recheck();
  expect(ended).toEqual([used]);
});

it('looks again and again while something is in use, and not at all otherwise', async () => {
  const id = await newId();
  expect(clock.timerCount).toBe(0);
  const done = [watch.add(id), watch.add(id)];
  expect(clock.timerCount).toBe(1);
  done[0]?.();
  clock.advance(RECHECK_MS);
  await expect.poll(() => clock.timerCount).toBe(1);
  done[1]?.();
  clock.advance(RECHECK_MS);
  await watch.recheck();
  expect(clock.timerCount).toBe(0);
  expect(ended).toEqual([]);
});

it('has nothing to watch where everybody is let in', () => {
  watch.add(ANYBODY.id)();
  expect(clock.timerCount).toBe(0);
});

it('is silent when it is closed', async () => {
  const id = await newId();
  watch.add(id);
  watch.close();
  await credentials.revoke(id);
  expect(clock.timerCount).toBe(0);
  expect(ended).toEqual([]);
});
