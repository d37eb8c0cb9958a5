import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { describeTransportContract } from '../../../../tests/contracts/transport-contract.ts';
import { turn } from '../../../../tests/support/scripted-transport.ts';
import { isPeerError } from '../jsonrpc/peer-error.ts';
import type { Frame, Transport } from '../jsonrpc/transport.ts';
import { createStdioTransport } from './stdio-transport.ts';

describeTransportContract('byte streams', () => {
  const there = new PassThrough();
  const back = new PassThrough();
  return {
    near: createStdioTransport(back, there, { flushMs: 50 }),
    far: createStdioTransport(there, back, { flushMs: 50 }),
  };
});

describeTransportContract('the pipes of child processes', () => {
  // Each child copies its input to its output and so is one direction of the connection.
  const toChild = spawnCopier();
  const fromChild = spawnCopier();
  return {
    near: createStdioTransport(fromChild.stdout, toChild.stdin),
    far: createStdioTransport(toChild.stdout, fromChild.stdin),
    dispose: () => {
      toChild.kill();
      fromChild.kill();
    },
  };
});

describe('a stdio transport', () => {
  it('gives the last line although it has no line feed', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    input.end('{"a":1}\n{"b":2}');
    expect(await framesOf(transport)).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('can still send after the other side ended its direction', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const transport = createStdioTransport(input, output);
    input.end();
    expect(await framesOf(transport)).toEqual([]);
    void transport.send('{"late":true}');
    await transport.close();
    expect(String(output.read())).toBe('{"late":true}\n');
  });

  it('throws what the input failed with', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    const frames = framesOf(transport);
    input.destroy(new Error('cable pulled'));
    await expect(frames).rejects.toThrow('cable pulled');
  });

  it('throws when the input is destroyed before its end', async () => {
    const input = new PassThrough();
    const frames = framesOf(createStdioTransport(input, new PassThrough()));
    input.destroy();
    await expect(frames).rejects.toThrow('closed before its end');
  });

  it('keeps an error that comes before anybody reads', async () => {
    const input = new PassThrough();
    const transport = createStdioTransport(input, new PassThrough());
    input.destroy(new Error('early'));
    await turn();
    await expect(framesOf(transport)).rejects.toThrow('early');
  });

  it('reads no further than what is taken', async () => {
    const input = new PassThrough({ highWaterMark: 1 });
    const transport = createStdioTransport(input, new PassThrough());
    const frames = transport.receive()[Symbol.asyncIterator]();
    input.write('1\n');
    await frames.next();
    for (let i = 0; i < 100; i++) input.write('2\n');
    await turn();
    expect(input.isPaused()).toBe(true);
    expect(input.writableLength + input.readableLength).toBeGreaterThan(100);
  });

  it('fails an input that stays open and silent after the output was lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const frames = framesOf(createStdioTransport(input, output));
      const failed = expect(frames).rejects.toThrow('EPIPE');
      output.destroy(new Error('EPIPE'));
      await turn();
      vi.advanceTimersByTime(900);
      input.write('{"still":"here"}\n');
      await turn();
      vi.advanceTimersByTime(900);
      expect(input.destroyed).toBe(false);
      vi.advanceTimersByTime(100);
      await failed;
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not crash when the child is gone, and says closed', async () => {
    const child = spawnChild('');
    const transport = createStdioTransport(child.stdout, child.stdin);
    await once(child, 'exit');
    await framesOf(transport);
    const failure = await sendUntilRefused(transport);
    expect(isPeerError(failure, 'closed')).toBe(true);
    await transport.close();
  });
});

async function framesOf(transport: Transport): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const batch of transport.receive()) frames.push(...batch);
  return frames;
}

async function sendUntilRefused(transport: Transport): Promise<unknown> {
  for (;;) {
    try {
      void transport.send('{}');
    } catch (error) {
      return error;
    }
    await turn();
  }
}

function spawnCopier(): ReturnType<typeof spawnChild> {
  return spawnChild('process.stdin.pipe(process.stdout)');
}

function spawnChild(script: string) {
  return spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
}
