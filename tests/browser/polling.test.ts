import { createNodeClient, type SignalboxClient } from '@signalbox/client/node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask, say, script } from '../serving/stage.ts';
import { freePort, Nginx } from './nginx.ts';
import { bareConfig } from './proxy-config.ts';
import { Served } from './served.ts';

let served: Served;
let nginx: Nginx;
let client: SignalboxClient;

beforeEach(async () => {
  const port = await freePort();
  served = await Served.open();
  // Nothing leaves this proxy before it is whole, and nothing may take longer than two seconds.
  const buffered = 'proxy_read_timeout 2s; proxy_ignore_headers X-Accel-Buffering;';
  nginx = await Nginx.start(bareConfig(port, served.port, buffered));
  const { secret } = await served.server.credentials.createToken({ name: 'test', role: 'driver' });
  client = createNodeClient({
    url: `http://127.0.0.1:${port}`,
    clientInfo: { name: 'test', version: '1' },
    token: secret,
    doors: ['poll'],
  });
});
afterEach(async () => {
  await client.close();
  await nginx.close();
});

it('a client that polls gets a turn whole through a proxy that lets no stream live (B169)', async () => {
  const id = await served.newSession();
  const session = await client.attach(id);
  const prompt = session.prompt(script(say('Before.'), ask(), say('After.')));
  await expect.poll(() => session.permissions.length, { timeout: 10_000 }).toBe(1);
  // Longer than the proxy lets anything be quiet.
  const polls = () => served.logged.filter((line) => line.includes('"method":"GET"')).length;
  const before = polls();
  await expect.poll(polls, { timeout: 15_000 }).toBeGreaterThan(before + 2);
  const [permission] = session.permissions;
  await session.answerPermission(permission?.permissionId ?? '', 'yes');
  expect(await prompt.done).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
  const said = session.view.entries.flatMap((entry) =>
    entry.kind === 'agent_message' ? entry.blocks : [],
  );
  expect(said).toMatchObject([
    { text: 'Before.' },
    { text: '{"outcome":"selected","optionId":"yes"}After.' },
  ]);
});
