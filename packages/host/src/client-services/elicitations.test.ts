import { PeerError, RawJson, RpcError, SimulatedClock } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import type { AttachedClient } from './attached-client.ts';
import {
  ELICITATION_CANCELLED,
  ELICITATION_TIMEOUT_MS,
  Elicitations,
  offeredMode,
  underRequest,
  underSession,
  URL_ELICITATIONS_MAX,
} from './elicitations.ts';

const ACCEPT = new RawJson('{"action":"accept"}');
const FORM = new RawJson('{"mode":"form"}');
const never = new AbortController().signal;

/** A client that answers as it is told to, or never. */
function clientThat(answer: () => Promise<RawJson>) {
  const completed: string[] = [];
  const signals: AbortSignal[] = [];
  const client: AttachedClient = {
    capabilities: {},
    request: (_method, _params, signal) => {
      signals.push(signal);
      return answer();
    },
    requestExtension: () => answer(),
    notifyExtension: () => undefined,
    elicitationComplete: ({ text }) => completed.push(text),
  };
  return { client, completed, signals };
}

const silent = () => clientThat(() => new Promise(() => undefined));
const accepting = () => clientThat(() => Promise.resolve(ACCEPT));

function byUrl(elicitationId: string): RawJson {
  return new RawJson(JSON.stringify({ mode: 'url', elicitationId }));
}

function complete(elicitationId: string): RawJson {
  return new RawJson(JSON.stringify({ elicitationId }));
}

describe('an elicitation', () => {
  test('is cancelled after its time, and leaves no timer when it is answered', async () => {
    const clock = new SimulatedClock();
    const elicitations = new Elicitations({ clock });
    const { client, signals } = silent();
    const answer = elicitations.ask(client, { raw: FORM, signal: never });
    expect(elicitations.isAsking).toBe(true);
    clock.advance(ELICITATION_TIMEOUT_MS - 1);
    expect(signals[0]?.aborted).toBe(false);
    clock.advance(1);
    expect(await answer).toBe(ELICITATION_CANCELLED);
    expect(signals[0]?.aborted).toBe(true);
    expect(elicitations.isAsking).toBe(false);
    expect(await elicitations.ask(accepting().client, { raw: FORM, signal: never })).toBe(ACCEPT);
    expect(clock.timerCount).toBe(0);
  });

  test('ends with the request that it belongs to, and as a cancelled request with its own', async () => {
    const elicitations = new Elicitations({ clock: new SimulatedClock() });
    const { client } = silent();
    for (const isBefore of [true, false]) {
      const [own, cause] = [new AbortController(), new AbortController()];
      if (isBefore) cause.abort();
      const ask = { raw: FORM, signal: own.signal, cause: cause.signal };
      const answer = elicitations.ask(client, ask);
      cause.abort();
      expect(await answer).toBe(ELICITATION_CANCELLED);
      const second = elicitations.ask(client, { raw: FORM, signal: own.signal });
      own.abort();
      await expect(second).rejects.toMatchObject({ code: -32800 });
    }
    expect(elicitations.isAsking).toBe(false);
  });

  test.for([
    ['is gone', new PeerError('closed', 'gone'), ELICITATION_CANCELLED.text],
    ['answers with nonsense', new PeerError('invalid_response', 'what'), -32603],
    ['answers with an error', new RpcError(-32000, 'no'), -32000],
  ] as const)('of a client that %s has an answer', async ([, error, expected]) => {
    const elicitations = new Elicitations({ clock: new SimulatedClock() });
    const { client } = clientThat(() => Promise.reject(error));
    const answer = elicitations.ask(client, { raw: FORM, signal: never });
    const outcome = await answer.then(
      ({ text }) => text,
      ({ code }: RpcError) => code,
    );
    expect(outcome).toBe(expected);
  });

  test('by URL is complete for the client that agreed to it, once', async () => {
    const elicitations = new Elicitations({ clock: new SimulatedClock() });
    const [one, two] = [accepting(), clientThat(() => Promise.resolve(ELICITATION_CANCELLED))];
    await elicitations.ask(one.client, { raw: byUrl('a'), signal: never });
    await elicitations.ask(two.client, { raw: byUrl('b'), signal: never });
    for (const id of ['a', 'a', 'b', 'c']) elicitations.complete(complete(id));
    expect(one.completed).toEqual(['{"elicitationId":"a"}']);
    expect(two.completed).toEqual([]);
  });

  test('by URL is remembered up to a bound, and neither past its agent nor its client', async () => {
    const elicitations = new Elicitations({ clock: new SimulatedClock() });
    const { client, completed } = accepting();
    for (let n = 0; n <= URL_ELICITATIONS_MAX; n += 1) {
      await elicitations.ask(client, { raw: byUrl(`${n}`), signal: never });
    }
    for (const id of ['0', '1']) elicitations.complete(complete(id));
    expect(completed).toEqual(['{"elicitationId":"1"}']);
    elicitations.forget();
    elicitations.complete(complete('2'));
    await elicitations.ask(client, { raw: byUrl('x'), signal: never });
    elicitations.forgetClient(client);
    elicitations.complete(complete('x'));
    expect(completed).toHaveLength(1);
  });
});

describe('the params of an elicitation', () => {
  test('have one scope, and else stay as they are', () => {
    const raw = new RawJson('{"requestId":1,"n":1.0,"sessionId":"s","toolCallId":"t"}');
    expect(underRequest(raw, '"\\u0061"').text).toBe('{"requestId":"\\u0061","n":1.0}');
    expect(underSession(raw, 'ours').text).toBe('{"n":1.0,"sessionId":"ours","toolCallId":"t"}');
  });

  test('name a mode that was offered', () => {
    const offered = { elicitation: { form: {}, url: null } };
    expect(offeredMode({ mode: 'form' }, offered)).toBe('form');
    for (const mode of ['url', '_x', 'constructor', undefined]) {
      expect(() => offeredMode({ mode }, offered)).toThrow(/was not offered/);
    }
  });
});
