import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announcedServers, type AnnouncedServer } from '../cli/announced-servers.ts';
import { createPlace, script, type Place, type Running } from '../cli/signalbox.ts';

const WAITING = script({ say: 'it runs' }, { wait: true });
const ID = /\d{8}-\d{6}-\w{12}/;

let place: Place;
let server: Running | undefined;
let attached: Running | undefined;

beforeEach(() => {
  place = createPlace();
});
afterEach(async () => {
  for (const each of [attached, server]) {
    // In good order the server would wait for the turns that still run.
    each?.child.kill('SIGKILL');
    await each?.finished;
  }
  server = attached = undefined;
  place.dispose();
});

async function serve(...args: string[]): Promise<AnnouncedServer> {
  server = place.start('serve', '--port', '0', '--yes', ...args);
  await server.whenPrinted('Ctrl-C');
  const [announced] = announcedServers(place);
  if (announced === undefined) throw new Error('the server is not announced');
  return announced;
}

/** A session that a command has made and left. */
async function makeSession(): Promise<string> {
  const { stderr } = await place.run('run', 'hello');
  return ID.exec(stderr)?.[0] ?? '';
}

describe('signalbox attach', () => {
  it('says why when its token does not work any more, and does not end well (B150)', async () => {
    const { localUrl } = await serve();
    const sessionId = await makeSession();
    const { stdout, stderr } = await place.run('token', 'create', 'short');
    const token = stdout.trim();
    const other = createPlace({
      SIGNALBOX_DATA: join(place.cwd, 'data'),
      SIGNALBOX_TOKEN: token,
    });
    attached = other.start('attach', sessionId, '--server', localUrl, '--prompt', WAITING);
    await attached.whenPrinted('it runs');
    await place.run('token', 'revoke', /^\w+/.exec(stderr)?.[0] ?? '');
    const ended = await attached.finished;
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('unauthorized')]);
    other.dispose();
  });

  it('that is interrupted before the end that it waits for does not end well (B151)', async () => {
    await serve();
    const sessionId = await makeSession();
    attached = place.start('attach', sessionId, '--prompt', WAITING);
    await attached.whenPrinted('it runs');
    for (const [args, code] of [
      [['--until-idle'], 130],
      [[], 0],
    ] as const) {
      const other = place.start('attach', sessionId, ...args);
      await other.whenPrinted('it runs');
      other.child.kill('SIGINT');
      expect([args, (await other.finished).code]).toEqual([args, code]);
    }
    attached.child.kill('SIGINT');
    expect((await attached.finished).code).toBe(130);
  });

  it('tells in one line what is wrong with where it is to begin', async () => {
    await serve();
    const ended = await place.run('attach', await makeSession(), '--after', 'nowhere');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^signalbox: .*"nowhere" is not an event cursor\n$/);
  });

  it('says once that nobody answers, and tries again', async () => {
    attached = place.start('attach', 'last', '--server', 'http://127.0.0.1:1');
    const said = new Promise((resolve) => attached?.child.stderr?.once('data', resolve));
    expect(String(await said)).toMatch(/ECONNREFUSED.*it is tried again/);
  });

  it('reaches a server behind a proxy by its own address', async () => {
    const announced = await serve('--behind-proxy', '127.0.0.1', '--allow-host', 'box.example');
    expect(announced.url).toBe('https://box.example');
    const sessionId = await makeSession();
    const ended = await place.run('attach', sessionId, '--prompt', script({ say: 'inside' }));
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('inside')]);
    expect((await place.run('login')).stdout).toMatch(/^https:\/\/box\.example\/login#code=/);
  });
});
