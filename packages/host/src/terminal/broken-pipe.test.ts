import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toAgentEnvironment } from '../agents/environment.ts';
import { resolveRoots } from '../workspace/roots.ts';
import type { OutputPipe } from './output-pipe.ts';
import { Terminals } from './terminals.ts';

const pipes: OutputPipe[] = [];
vi.mock('./output-pipe.ts', async (importOriginal) => {
  const original = await importOriginal<{ createOutputPipe(): Promise<OutputPipe> }>();
  const createOutputPipe = async (): Promise<OutputPipe> => {
    const pipe = await original.createOutputPipe();
    pipes.push(pipe);
    return pipe;
  };
  return { createOutputPipe };
});

let folder = '';
let terminals: Terminals | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-pipe-')));
  pipes.length = 0;
});
afterEach(async () => {
  await terminals?.close();
  rmSync(folder, { recursive: true });
});

test.each(['EIO', 'EPIPE', 'ECONNRESET'])('a terminal outlives %s on its pipe', async (code) => {
  const roots = await resolveRoots(folder);
  const environment = toAgentEnvironment(process.env, [], {});
  terminals = new Terminals({ sessionId: `test-${folder}`, roots, environment });
  const quiet = await terminals.create({ command: 'sleep', args: ['500'] });
  const loud = await terminals.create({ command: 'yes' });
  for (const { readEnd, writeEnd } of pipes) {
    for (const end of [readEnd, writeEnd, readEnd]) {
      end.emit('error', Object.assign(new Error(`broken: ${code}`), { code }));
    }
  }
  // Who writes into a broken pipe is ended by it; who does not goes on until it is killed.
  expect(await terminals.waitForExit(loud)).toEqual({ exitCode: null, signal: 'SIGPIPE' });
  expect(terminals.output(quiet).exitStatus).toBeUndefined();
  await terminals.kill(quiet);
  expect(await terminals.waitForExit(quiet)).toEqual({ exitCode: null, signal: 'SIGTERM' });
  expect(terminals.output(quiet)).toMatchObject({ output: '', truncated: false });
  await terminals.release(quiet);
});
