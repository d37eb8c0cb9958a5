import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../../clock/simulated-clock.ts';
import { turn } from '../../../../../../tests/support/scripted-transport.ts';
import { EventResponse } from './event-response.ts';
import { HttpExchange } from './http-exchange.ts';
import { DEFAULT_HTTP_LIMITS } from './http-limits.ts';

/** A response whose other side is the test: it says when there is room again. */
class ScriptedResponse extends EventEmitter {
  readonly written: Buffer[] = [];
  isFull = false;
  ending: string | undefined;
  isDestroyed = false;

  readonly setTimeout = (): void => undefined;
  readonly writeHead = (): void => undefined;

  write(data: string | Buffer): boolean {
    this.written.push(Buffer.from(data));
    return !this.isFull;
  }

  end(text = ''): void {
    this.ending = text;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }

  /** Everything that has been written. */
  get text(): string {
    return Buffer.concat(this.written).toString();
  }
}

describe('an event response', () => {
  it.each([
    '',
    'x',
    'é',
    '€',
    '😀',
    '\ud83d',
    `${'x'.repeat(7)}é`,
    `${'x'.repeat(100)}${'é'.repeat(12)}`,
  ])('writes a text as UTF-8, however many bytes it takes: %j', (text) => {
    const { response, reader } = start();
    const before = response.text;
    for (const event of [text, `${text}x`, `${'x'.repeat(20)}${text}`]) reader.write(event);
    expect(response.text).toBe(
      before + Buffer.from(`${text}${text}x${'x'.repeat(20)}${text}`).toString(),
    );
  });

  it('writes a large event in pieces, each when the one before has got through (B167)', () => {
    const { response, reader, clock, ends } = start();
    response.isFull = true;
    const event = `id: ~1\ndata: ${'€'.repeat(1_000_000)}\n\n`;
    reader.write(event);
    expect(reader.isBlocked).toBe(true);
    // Each piece takes nearly as long as may be, and all together far longer.
    for (let i = 0; reader.isMidEvent; i++) {
      expect(response.written).toHaveLength(i + 2);
      clock.advance(29_999);
      response.emit('drain');
    }
    expect(response.text.endsWith(event)).toBe(true);
    expect(Math.max(...response.written.map(({ length }) => length))).toBe(64 * 1024);
    expect(ends.count).toBe(0);
  });

  it('ends with a comment that says slow when nothing gets through, and is cut off after that', () => {
    const { response, reader, clock, ends } = start();
    response.isFull = true;
    reader.write('data: 1\n\n');
    clock.advance(29_999);
    expect(response.ending).toBeUndefined();
    clock.advance(1);
    expect(response.ending).toBe(': slow\n\n');
    expect(ends.count).toBe(1);
    clock.advance(5000);
    expect(response.isDestroyed).toBe(true);
    expect(clock.timerCount).toBe(0);
  });

  it('is cut off at once in the midst of an event, which a comment would complete', () => {
    const { response, reader, clock } = start();
    response.isFull = true;
    reader.write(`data: ${'x'.repeat(200_000)}\n\n`);
    clock.advance(30_000);
    expect(response.isDestroyed).toBe(true);
    expect(response.ending).toBeUndefined();
    expect(response.text.endsWith('x')).toBe(true);
  });

  it('ends a poll behind the whole of a large event', () => {
    const { response, reader } = start(true);
    response.isFull = true;
    reader.write(`data: ${'x'.repeat(100_000)}\n\n`);
    reader.answerPoll();
    expect(response.ending).toBeUndefined();
    response.emit('drain');
    expect(response.ending).toBe('');
    expect(response.text.endsWith('x\n\n')).toBe(true);
  });

  it('does not end a poll in the midst of an event, however long that takes', () => {
    const { response, reader, clock } = start(true);
    response.isFull = true;
    reader.write(`data: ${'x'.repeat(200_000)}\n\n`);
    reader.answerPoll();
    for (let i = 0; response.ending === undefined; i++) {
      expect(i).toBeLessThan(10);
      clock.advance(25_000);
      expect(response.isDestroyed).toBe(false);
      response.emit('drain');
    }
    expect(response.text.endsWith('x\n\n')).toBe(true);
  });

  it('leaves no timer behind when its client goes away', async () => {
    const { response, reader, clock, ends } = start();
    response.isFull = true;
    reader.write('data: 1\n\n');
    response.emit('close');
    await turn();
    expect(ends.count).toBe(1);
    expect(clock.timerCount).toBe(0);
  });
});

function start(isPoll = false) {
  const response = new ScriptedResponse();
  const clock = new SimulatedClock();
  const exchange = new HttpExchange({} as IncomingMessage, response as unknown as ServerResponse);
  const limits = DEFAULT_HTTP_LIMITS;
  const reader = new EventResponse({ exchange, connectionId: 'c', clock, limits, isPoll });
  const ends = { count: 0 };
  reader.start({ onDrain: () => undefined, onEnd: () => ends.count++ }, '~0');
  return { response, reader, clock, ends };
}
