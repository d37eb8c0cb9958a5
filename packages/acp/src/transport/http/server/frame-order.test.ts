import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEventId, type StreamPosition } from '../stream-position.ts';
import { FrameOrder } from './frame-order.ts';
import { ReplayBuffer } from './replay-buffer.ts';

const LIMITS = { replayFramesMax: 100, replayBytesMax: 100_000 };

describe('the order of frames', () => {
  it('gives back what a client has lost, wherever it was cut and however often', () => {
    const isPlaced = fc.boolean();
    const cuts = fc.array(fc.nat(40), { maxLength: 6 });
    const batches = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(isPlaced, { maxLength: 30 }), cuts, batches, (kinds, at, sizes) => {
        const { sent, received } = play(kinds, at, sizes);
        expect(received.filter((text) => text.startsWith('u'))).toEqual(
          sent.filter((text) => text.startsWith('u')),
        );
        // What is sent again may come in frames of several events, whose texts are joined.
        const events = received.filter((text) => text.startsWith('p')).flatMap((t) => t.split('+'));
        expect(events).toEqual(sent.filter((text) => text.startsWith('p')));
        expectNoOvertaking(sent, received);
      }),
    );
  });

  it('begins anew where it is told to, and gives back what was lost behind that', () => {
    const step = fc.oneof(fc.constant('placed'), fc.constant('unplaced'), fc.nat(30));
    const cuts = fc.array(fc.nat(12), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), cuts, (steps, at) => {
        const { received, unplaced, opened, rest } = playOpenings(steps, at);
        expect(received.filter((text) => !text.startsWith('p'))).toEqual(unplaced);
        // What belongs to openings before the last one is of no interest any more.
        const last = received.slice(received.lastIndexOf(opened) + 1);
        expect(last.filter((text) => text.startsWith('p'))).toEqual(rest);
      }),
    );
  });

  it('is given up when it is told to', () => {
    const order = new FrameOrder(LIMITS);
    order.addPlaced('p1', 'c1');
    order.addPlaced('p2', 'c2');
    order.addUnplaced('u1', 1);
    order.takeEvents(Infinity);
    order.restart({ cursor: 'c1', number: 0 });
    expect(order.hasDue).toBe(false);
    expect(order.heldLength).toBe(2);
    order.giveUpOrder();
    expect(order.takeEvents(Infinity)).toContain('data: u1');
    expect(order.heldLength).toBe(0);
  });
});

describe('a replay buffer', () => {
  it('keeps as many frames and characters as it may, and knows what is gone', () => {
    const buffer = new ReplayBuffer({ replayFramesMax: 3, replayBytesMax: 10 });
    for (let number = 1; number <= 5; number++) buffer.keep({ text: 'xx', cursor: '', number });
    buffer.assertReaches(2);
    buffer.assertReaches(4);
    expect(() => buffer.assertReaches(1)).toThrow('not kept');
    expect(() => buffer.assertReaches(6)).toThrow('has not sent');
    buffer.keep({ text: 'x'.repeat(9), cursor: '', number: 6 });
    expect(() => buffer.assertReaches(4)).toThrow('not kept');
    buffer.assertReaches(5);
    expect(buffer.takeBehind(5).map(({ number }) => number)).toEqual([6]);
  });

  it('keeps nothing that is larger than all it may keep', () => {
    const buffer = new ReplayBuffer({ replayFramesMax: 3, replayBytesMax: 10 });
    buffer.keep({ text: 'x'.repeat(11), cursor: '', number: 1 });
    expect(() => buffer.assertReaches(0)).toThrow('not kept');
    expect(buffer.takeBehind(1)).toEqual([]);
  });
});

/** Sends frames, and has a client come back that was cut behind so many events of each response. */
function play(
  kinds: readonly boolean[],
  cuts: readonly number[],
  sizes: readonly number[],
): { sent: string[]; received: string[] } {
  const order = new FrameOrder(LIMITS);
  const sent: string[] = [];
  const log: string[] = [];
  const received: string[] = [];
  let number = 0;
  let position: StreamPosition = { cursor: '', number: 0 };
  const send = (isPlaced: boolean): void => {
    const text = isPlaced ? `p${log.length + 1}` : `u${number + 1}`;
    sent.push(text);
    if (isPlaced) order.addPlaced(text, cursorOf(log.push(text)));
    else order.addUnplaced(text, ++number);
  };
  const read = (count: number): void => {
    for (const event of eventsOf(order.takeEvents(Infinity)).slice(0, count)) {
      received.push(event.text);
      position = event.position;
    }
  };
  const comeBack = (): void => {
    order.assertReaches(position);
    if (order.isUpTo(position)) {
      order.goBack(position);
      return;
    }
    const lead = position.cursor === '' ? order.first : undefined;
    order.restart(position, lead);
    let at = log.indexOf(textAt(lead?.cursor ?? position.cursor)) + 1;
    for (let i = 0; at < log.length; i++) {
      const events = log.slice(at, at + (sizes[i % sizes.length] ?? 1));
      at += events.length;
      order.addPlaced(events.join('+'), cursorOf(at));
    }
  };
  const share = Math.ceil(kinds.length / (cuts.length + 1));
  cuts.forEach((cut, i) => {
    for (const kind of kinds.slice(i * share, (i + 1) * share)) send(kind);
    read(cut);
    comeBack();
  });
  for (const kind of kinds.slice(cuts.length * share)) send(kind);
  read(Infinity);
  return { sent, received };
}

/**
 * Sends frames as an owner does whose client opens its session again and again, each time at another place
 * of the log; the client is cut behind so many events of each response.
 *
 * @returns what the client got, what was sent without a place, and of the last opening the frame that tells
 *   of it and what the log has behind it.
 */
function playOpenings(
  steps: readonly (string | number)[],
  cuts: readonly number[],
): { received: string[]; unplaced: string[]; opened: string; rest: string[] } {
  const order = new FrameOrder(LIMITS);
  const log: string[] = [];
  const unplaced: string[] = [];
  const received: string[] = [];
  const nextNumber = (): number => ++number;
  let number = 0;
  let begin = 0;
  let sentCount = 0;
  /** What has been asked for, and not been begun with. */
  let toBegin: number | undefined = 0;
  let opened = '';
  let position: StreamPosition = { cursor: '', number: 0 };
  const addUnplaced = (text: string): void => {
    unplaced.push(text);
    order.addUnplaced(text, nextNumber());
  };
  const follow = (): void => {
    while (sentCount < log.length) {
      order.addPlaced(log[sentCount] ?? '', cursorOf(sentCount + 1));
      sentCount++;
    }
  };
  const open = (at: number): void => {
    opened = `o${number + 1}`;
    addUnplaced(opened);
    toBegin = Math.min(at, log.length);
  };
  /** The answer has been sent, and now the rest is. */
  const goOn = (): void => {
    if (toBegin === undefined) return;
    begin = sentCount = toBegin;
    toBegin = undefined;
    order.beginAnew(nextNumber);
    if (begin === log.length) addUnplaced(`h${number + 1}`);
    follow();
  };
  const read = (count: number): void => {
    for (const event of eventsOf(order.takeEvents(Infinity)).slice(0, count)) {
      received.push(event.text);
      position = event.position;
    }
  };
  const comeBack = (): void => {
    order.assertReaches(position);
    const current = order.toCurrent(position);
    if (order.isUpTo(current)) {
      order.goBack(current);
      return;
    }
    const lead = current.cursor === '' ? order.first : undefined;
    order.restart(current, lead);
    if (toBegin !== undefined) return;
    const at = log.indexOf(textAt(lead?.cursor ?? current.cursor)) + 1;
    sentCount = at > begin && at <= sentCount ? at : begin;
    follow();
  };
  open(0);
  const share = Math.ceil(steps.length / (cuts.length + 1));
  for (let i = 0; i <= cuts.length; i++) {
    for (const step of steps.slice(i * share, (i + 1) * share)) {
      goOn();
      if (typeof step === 'number') open(step);
      else if (step === 'unplaced') addUnplaced(`u${number + 1}`);
      else {
        log.push(`p${log.length + 1}`);
        follow();
      }
    }
    if (i === cuts.length) goOn();
    read(cuts[i] ?? Infinity);
    if (i < cuts.length) comeBack();
  }
  return { received, unplaced, opened, rest: log.slice(begin) };
}

/** Whatever came before an unplaced frame comes before it again. */
function expectNoOvertaking(sent: readonly string[], received: readonly string[]): void {
  const place = (text: string): number =>
    received.findIndex((all) => all.split('+').includes(text));
  sent.forEach((text, i) => {
    if (!text.startsWith('u')) return;
    for (const before of sent.slice(0, i)) expect(place(before)).toBeLessThan(place(text));
  });
}

function eventsOf(text: string): { text: string; position: StreamPosition }[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [id = '', data = ''] = block.split('\n');
      const position = parseEventId(id.slice('id: '.length)) as StreamPosition;
      return { text: data.slice('data: '.length), position };
    });
}

function cursorOf(count: number): string {
  return `c${String(count).padStart(3, '0')}`;
}

function textAt(cursor: string): string {
  return `p${Number(cursor.slice(1))}`;
}
