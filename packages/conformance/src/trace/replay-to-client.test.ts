import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { replayToClient } from './replay-to-client.ts';
import type { ReplayReport } from './replay-report.ts';
import type { Direction, TraceEntry } from './trace-entry.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: object;
  readonly result?: object;
}

/** A recorded line, written shortly: `→` is from the client. */
function line(arrow: '→' | '←', message: Message): TraceEntry {
  const dir: Direction = arrow === '→' ? 'c2a' : 'a2c';
  return { dir, t: 0, text: JSON.stringify({ jsonrpc: '2.0', ...message }) };
}

/** A client of a replay, which says what it is told to. */
function play(trace: readonly TraceEntry[]): {
  send(message: Message | string): void;
  next(): Promise<Message>;
  end(): Promise<ReplayReport>;
} {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const report = replayToClient({
    trace,
    input,
    timeoutMs: 10_000,
    write: (bytes) => new Promise((resolve) => output.write(bytes, () => resolve())),
  });
  return {
    send: (message) => {
      const text =
        typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
      input.write(`${text}\n`);
    },
    next: async () => {
      const { value } = (await lines.next()) as { value: Buffer };
      return JSON.parse(value.toString('utf8')) as Message;
    },
    end: () => {
      input.end();
      return report;
    },
  };
}

const PROMPT = { method: 'session/prompt', params: { sessionId: 's', prompt: [] } };
const TERMINAL = { method: 'terminal/create', params: { sessionId: 's', command: 'ls' } };

describe('replayToClient', () => {
  it('answers with the id of now, digit by digit', async () => {
    const client = play([
      line('→', { id: 1, method: 'initialize', params: {} }),
      line('←', { id: 1, result: { protocolVersion: 1 } }),
    ]);
    client.send('{"jsonrpc":"2.0","id":"seven","method":"initialize","params":{}}');
    expect(await client.next()).toEqual({
      jsonrpc: '2.0',
      id: 'seven',
      result: { protocolVersion: 1 },
    });
    expect(await client.end()).toEqual({ sent: 1, recorded: 1, differences: [] });
  });

  it('waits for answers of the client, and uses the terminal that it gives out', async () => {
    const client = play([
      line('→', { id: 1, ...PROMPT }),
      line('←', { id: 'a', ...TERMINAL }),
      line('→', { id: 'a', result: { terminalId: 'recorded' } }),
      line('←', { id: 'b', method: 'terminal/output', params: { terminalId: 'recorded' } }),
      line('→', { id: 'b', result: { output: '', truncated: false } }),
      line('←', { id: 1, result: { stopReason: 'end_turn' } }),
    ]);
    client.send({ id: 5, ...PROMPT });
    expect((await client.next()).id).toBe('a');
    client.send({ id: 'a', result: { terminalId: 'living' } });
    expect((await client.next()).params).toEqual({ terminalId: 'living' });
    client.send({ id: 'b', result: { output: '', truncated: false } });
    expect(await client.next()).toMatchObject({ id: 5, result: { stopReason: 'end_turn' } });
    expect((await client.end()).differences).toEqual([]);
  });

  it('waits for a cancellation that was recorded', async () => {
    const client = play([
      line('→', { id: 1, ...PROMPT }),
      line('→', { method: 'session/cancel', params: { sessionId: 's' } }),
      line('←', { id: 1, result: { stopReason: 'cancelled' } }),
    ]);
    client.send({ id: 1, ...PROMPT });
    client.send({ method: 'session/cancel', params: { sessionId: 's' } });
    expect(await client.next()).toMatchObject({ id: 1, result: { stopReason: 'cancelled' } });
    expect((await client.end()).differences).toEqual([]);
  });

  it('ends a turn that is cancelled now and was not then', async () => {
    const client = play([
      line('→', { id: 1, ...PROMPT }),
      line('←', { id: 'a', ...TERMINAL }),
      line('→', { id: 'a', result: { terminalId: 't' } }),
      line('←', { id: 1, result: { stopReason: 'end_turn' } }),
    ]);
    client.send({ id: 1, ...PROMPT });
    await client.next();
    client.send({ method: 'session/cancel', params: { sessionId: 's' } });
    expect(await client.next()).toMatchObject({ id: 1, result: { stopReason: 'cancelled' } });
    await client.end();
  });

  it('gives updates the session that the client asks for', async () => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '"s"' } };
    const client = play([
      line('→', { id: 1, ...PROMPT }),
      line('←', { method: 'session/update', params: { sessionId: 's', update } }),
      line('←', { id: 1, result: { stopReason: 'end_turn' } }),
    ]);
    client.send({ id: 1, method: 'session/prompt', params: { sessionId: 'other', prompt: [] } });
    expect((await client.next()).params).toEqual({ sessionId: 'other', update });
    await client.next();
    await client.end();
  });
});
