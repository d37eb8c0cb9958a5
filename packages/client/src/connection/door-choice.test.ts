import { describe, expect, test } from 'vitest';
import type { Door } from './door.ts';
import { DoorChoice } from './door-choice.ts';

const never = (): Promise<never> => Promise.reject(new Error('not in this test'));
const socket: Door = { kind: 'websocket', connect: never };
const streams: Door = { kind: 'http', connect: never };
const polling: Door = { kind: 'poll', connect: never };

function createChoice(): DoorChoice {
  return new DoorChoice([socket, streams, polling]);
}

describe('the choice of a door', () => {
  test('goes on to the next door when a new one has failed twice', () => {
    const choice = createChoice();
    expect(choice.failed(socket)).toBe('wait');
    expect(choice.current).toBe(socket);
    choice.failed(socket);
    expect(choice.current).toBe(streams);
    choice.failed(streams);
    choice.failed(streams);
    expect(choice.current).toBe(polling);
  });

  test('begins anew behind the last door', () => {
    const choice = createChoice();
    for (const door of [socket, streams, polling]) for (let n = 0; n < 2; n++) choice.failed(door);
    expect(choice.current).toBe(socket);
  });

  test('has more patience with a door that has worked', () => {
    const choice = createChoice();
    choice.worked(streams);
    for (let n = 0; n < 5; n++) choice.failed(streams);
    expect(choice.current).toBe(streams);
    choice.failed(streams);
    expect(choice.current).toBe(polling);
  });

  test('counts only failures in a row', () => {
    const choice = createChoice();
    choice.failed(socket);
    choice.worked(socket);
    for (let n = 0; n < 5; n++) choice.failed(socket);
    expect(choice.current).toBe(socket);
  });

  test('goes on behind a door that lets connections in and none of them last', () => {
    const choice = createChoice();
    choice.worked(socket);
    for (const hasLasted of [false, false, true, false, false]) choice.ended(socket, hasLasted);
    expect(choice.current).toBe(socket);
    choice.ended(streams, false);
    expect(choice.current).toBe(socket);
    choice.ended(socket, false);
    expect(choice.current).toBe(streams);
  });

  test('leaves a door at once that is refused, and gives up when all are', () => {
    const choice = createChoice();
    expect(choice.refused(socket)).toBe('next');
    expect(choice.refused(streams)).toBe('next');
    expect(choice.refused(polling)).toBe('give_up');
  });

  test('does not hurry round and round', () => {
    const choice = createChoice();
    choice.failed(socket);
    choice.failed(socket);
    expect(choice.refused(streams)).toBe('next');
    expect(choice.refused(polling)).toBe('wait');
    expect(choice.current).toBe(socket);
    expect(choice.refused(socket)).toBe('give_up');
  });

  test('gives up only when nothing has happened between the refusals but refusals', () => {
    const choice = createChoice();
    choice.refused(socket);
    choice.refused(streams);
    choice.failed(polling);
    expect(choice.refused(polling)).toBe('wait');
  });

  test('is not moved on by a connection that tried another door', () => {
    const choice = createChoice();
    choice.worked(streams);
    for (let n = 0; n < 9; n++) choice.failed(socket);
    expect(choice.refused(socket)).toBe('wait');
    expect(choice.current).toBe(streams);
  });

  test('tells which doors are better', () => {
    const choice = createChoice();
    expect(choice.betterThan(socket)).toEqual([]);
    expect(choice.betterThan(polling)).toEqual([socket, streams]);
  });
});
