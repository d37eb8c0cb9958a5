import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { turn } from '../../../../../../tests/support/scripted-transport.ts';
import { NodeBody } from './node-body.ts';

const KIB = 1024;

describe('the body of an answer of node:http', () => {
  it('is read in the pieces in which it comes, and then ends', async () => {
    const { message, body } = create();
    const reader = body.getReader();
    const first = reader.read();
    message.push('one');
    expect(text(await first)).toBe('one');
    message.push('two');
    message.push('three');
    message.push(null);
    await turn();
    expect(text(await reader.read())).toBe('two');
    expect(text(await reader.read())).toBe('three');
    expect(await reader.read()).toEqual({ done: true });
    expect(await reader.read()).toEqual({ done: true });
  });

  it('is not taken in faster than it is read, but for 256 KiB', async () => {
    const { message, body } = create();
    const reader = body.getReader();
    await turn();
    for (let i = 0; i < 10; i++) message.push(Buffer.alloc(64 * KIB));
    await turn();
    expect(message.isPaused()).toBe(true);
    expect(message.readableLength).toBe(6 * 64 * KIB);
    await reader.read();
    await turn();
    expect(message.readableLength).toBe(5 * 64 * KIB);
    for (let i = 0; i < 9; i++) expect((await reader.read()).value?.length).toBe(64 * KIB);
    expect(message.readableLength).toBe(0);
  });

  it('gives what came before a cut, and then throws', async () => {
    const { message, body } = create();
    const reader = body.getReader();
    message.push('whole');
    await turn();
    message.destroy(new Error('cut'));
    await turn();
    expect(text(await reader.read())).toBe('whole');
    await expect(reader.read()).rejects.toThrow('cut');
  });

  it('throws when it ends without its end', async () => {
    const { message, body } = create();
    const read = body.getReader().read();
    message.destroy();
    await expect(read).rejects.toThrow('cut off');
  });

  it('throws at once when the reading is aborted, whatever waits to be read', async () => {
    const { message, body } = create();
    const reader = body.getReader();
    message.push('whole');
    await turn();
    body.abort(new Error('stop'));
    await expect(reader.read()).rejects.toThrow('stop');
    expect(message.destroyed).toBe(true);
  });

  it('ends for its reader when it is given up, and gives its connection up unless it is complete', async () => {
    const { message, body } = create();
    const read = body.getReader().read();
    await body.cancel();
    expect(await read).toEqual({ done: true });
    expect(message).toMatchObject({ destroyed: true, readableEnded: false });

    const other = create();
    other.message.push('rest');
    other.message.push(null);
    other.message.complete = true;
    await other.body.cancel();
    expect(other.message.readableEnded).toBe(true);
    await other.body.cancel();
  });
});

function create(): { message: IncomingMessage; body: NodeBody } {
  const message = new IncomingMessage(new Socket());
  return { message, body: new NodeBody(message) };
}

function text({ value }: { readonly value?: Uint8Array | undefined }): string {
  return new TextDecoder().decode(value);
}
