import { expect, test } from 'vitest';
import { command, Harness, textsOf } from './harness.ts';

test('agents see the documented variables and those of their entry, exactly, and no others', async () => {
  const harness = await Harness.open({
    environment: {
      PATH: process.env['PATH'],
      HOME: '/home/somebody',
      LC_ALL: 'C.UTF-8',
      https_proxy: 'http://proxy',
      SECRET_X: 'secret',
      SIGNALBOX_TOKEN: 'secret',
      API_KEY: 'key',
      MULTILINE: 'a\nb',
      NODE_OPTIONS: '--no-warnings',
    },
    entry: {
      passEnv: ['API_KEY', 'MULTILINE'],
      env: { LONG: 'x'.repeat(100_000), 'BASH_FUNC_f%%': '() { :;\n}' },
    },
  });
  const session = await harness.create('prints-environment');
  await session.prompt(command('x'));
  const [text = ''] = textsOf(await harness.events(session));
  expect(JSON.parse(text)).toEqual({
    PATH: process.env['PATH'],
    HOME: '/home/somebody',
    LC_ALL: 'C.UTF-8',
    https_proxy: 'http://proxy',
    API_KEY: 'key',
    MULTILINE: 'a\nb',
    LONG: 'x'.repeat(100_000),
    'BASH_FUNC_f%%': '() { :;\n}',
    SIGNALBOX_SESSION: session.id,
  });
});
