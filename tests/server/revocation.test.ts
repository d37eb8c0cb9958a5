import { SimulatedClock } from '@signalbox/host';
import { expect, it } from 'vitest';
import { Credentials } from '../../packages/server/src/index.ts';
import { Box } from './box.ts';
import { EventStream } from './event-stream.ts';

async function openStream(box: Box, headers: Record<string, string>): Promise<EventStream> {
  const { host, folder } = box.stage;
  const { id } = await host.createSession({ agent: 'scripted', cwd: folder });
  return EventStream.open(box.url(`/v1/sessions/${id}/events`), headers);
}

it('revoking a token ends its event streams, and no others', async () => {
  const box = await Box.open();
  const { secret, credential } = await box.server.credentials.createToken({
    name: 'lost',
    role: 'observer',
  });
  const stream = await openStream(box, { authorization: `Bearer ${secret}` });
  const other = await openStream(box, await box.token());
  await box.server.credentials.revoke(credential.id);
  await stream.whenClosed();
  expect(stream.comments.at(-1)).toBe('revoked');
  await box.stage.host.deleteSession((await box.stage.sessionIds())[1] ?? ('' as never));
  expect(other.isClosed).toBe(false);
  other.close();
});

it('signing out ends the event streams of the browser', async () => {
  const box = await Box.open();
  const headers = await box.cookie();
  const stream = await openStream(box, headers);
  await box.ask('/logout', { method: 'POST', headers });
  await stream.whenClosed();
});

it('a token that another process revokes, or that expires, ends its streams soon', async () => {
  const clock = new SimulatedClock();
  const box = await Box.open({ clock });
  const { credentials } = box.server;
  const elsewhere = new Credentials({ records: box.journal.records, clock });
  const revoked = await credentials.createToken({ name: 'a', role: 'observer' });
  const expiresAt = clock.now() + 4000;
  const expiring = await credentials.createToken({ name: 'b', role: 'observer', expiresAt });
  const streams = await Promise.all(
    [revoked, expiring].map(({ secret }) => openStream(box, { authorization: `Bearer ${secret}` })),
  );
  await elsewhere.revoke(revoked.credential.id);
  clock.advance(5000);
  for (const stream of streams) await stream.whenClosed();
});
