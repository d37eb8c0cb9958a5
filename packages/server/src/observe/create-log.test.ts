import { expect, it } from 'vitest';
import { createLog } from './create-log.ts';

it('writes JSON lines, and no secret that somebody logs by mistake', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  log.info({ headers: { authorization: 'hush', cookie: 'hush', accept: '*' } }, 'one');
  log.info({ req: { headers: { authorization: 'hush', 'set-cookie': 'hush' } } }, 'two');
  log.info({ secret: 'hush', authorization: 'hush' }, 'three');
  log.error({ err: Object.assign(new Error('gone'), { code: 'ECONNRESET' }) }, 'four');
  expect(lines.join('')).not.toContain('hush');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'one',
    'two',
    'three',
    'four',
  ]);
  expect(lines[3]).toContain('ECONNRESET');
});
