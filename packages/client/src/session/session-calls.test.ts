import { createHash } from 'node:crypto';
import { RpcError } from '@signalbox/acp';
import { refOf } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClientKit, type ClientKit } from '../../../../tests/support/client/client-kit.ts';
import { Recorder } from '../../../../tests/support/client/recorder.ts';
import { ScriptedLog } from '../../../../tests/support/client/scripted-log.ts';
import { settled } from '../../../../tests/support/client/settled.ts';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import type { RemoteSession } from './remote-session.ts';

let kit: ClientKit;
let log: ScriptedLog;
let heard: Recorder;
let session: RemoteSession;
let calls: (readonly [string, unknown])[];

beforeEach(async () => {
  kit = createClientKit();
  kit.dontWait();
  const writer = new LogWriter().start('T').ask('may I', { toolCallId: 't' });
  log = kit.server.add(new ScriptedLog('one', writer.events));
  heard = new Recorder();
  calls = [];
  session = await kit.client.attach('one', { onEvent: heard.onEvent });
});

afterEach(async () => {
  await kit.client.close();
  expect(kit.clock.timerCount).toBe(0);
});

/** Answers a method, and keeps what it was called with. */
function answer(method: string, result: unknown): void {
  kit.server.answers.set(method, (params) => {
    calls.push([method, params]);
    if (result instanceof Error) throw result;
    return result;
  });
}

describe('permission requests', () => {
  test('wait until the log says otherwise', async () => {
    expect(session.permissions).toMatchObject([{ permissionId: 'may I' }]);
    expect(session.permissions).toBe(session.permissions);
    log.append(...new LogWriter().choose('may I', 'yes').events);
    await heard.whenAt(session, 3);
    expect(session.permissions).toEqual([]);
  });

  test('are answered with an option, or without one', async () => {
    const method = '_signalbox/session/answer_permission';
    answer(method, {});
    await session.answerPermission('may I', 'yes');
    await session.answerPermission('may I');
    expect(calls).toEqual([
      [method, { sessionId: 'one', permissionId: 'may I', optionId: 'yes' }],
      [method, { sessionId: 'one', permissionId: 'may I' }],
    ]);
  });

  test('that do not wait are an error', async () => {
    const data = { reason: 'not_waiting' };
    answer('_signalbox/session/answer_permission', new RpcError(-32602, 'no', data));
    await expect(session.answerPermission('other')).rejects.toMatchObject({ code: -32602, data });
  });

  test('that the answer decided before its connection ended are decided', async () => {
    const method = '_signalbox/session/answer_permission';
    kit.server.answers.set(method, () => {
      answer(method, new RpcError(-32602, 'no', { reason: 'not_waiting' }));
      kit.server.connection.break();
      return new Promise(() => undefined);
    });
    await session.answerPermission('may I', 'yes');
    expect(kit.server.count(`${method} one`)).toBe(2);
  });
});

describe('a session', () => {
  test('has its mode and options changed', async () => {
    answer('session/set_mode', {});
    answer('session/set_config_option', { configOptions: [] });
    await session.setMode('fast');
    await session.setConfigOption('model', 'large');
    await session.setConfigOption('web', true);
    expect(calls).toEqual([
      ['session/set_mode', { sessionId: 'one', modeId: 'fast' }],
      ['session/set_config_option', { sessionId: 'one', configId: 'model', value: 'large' }],
      [
        'session/set_config_option',
        { sessionId: 'one', configId: 'web', type: 'boolean', value: true },
      ],
    ]);
  });

  test('tells its context', async () => {
    const snapshot = { format: 'x', cwd: '/project' };
    answer('_signalbox/session/snapshot', snapshot);
    expect(await session.contextSnapshot({ bytesMax: 5000 })).toEqual(snapshot);
    expect(calls[0]?.[1]).toEqual({ sessionId: 'one', bytesMax: 5000 });
    answer('_signalbox/session/snapshot', 'nonsense');
    await expect(session.contextSnapshot()).rejects.toMatchObject({ code: 'invalid_response' });
  });

  test('is called again over a new connection when the answer was lost', async () => {
    kit.server.answers.set('session/set_mode', () => {
      answer('session/set_mode', {});
      kit.server.connection.break();
      return new Promise(() => undefined);
    });
    await session.setMode('fast');
    expect(kit.server.count('session/set_mode one')).toBe(2);
  });

  test('is not called for ever', async () => {
    kit.server.answers.set('session/set_mode', () => new Promise(() => undefined));
    const setting = session.setMode('fast');
    await kit.server.whenHeard('session/set_mode one');
    for (let n = 1; n < 10; n++) {
      kit.clock.advance(30_000);
      await kit.server.whenHeard('_signalbox/ping', n);
      await settled();
    }
    kit.clock.advance(30_000);
    await expect(setting).rejects.toMatchObject({ code: 'timeout' });
  });

  test('gives its large strings, whole or in parts', async () => {
    const text = 'x'.repeat(3000);
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    const ref = { pointer: '/data/update/rawOutput', bytes: 3000, digest, seq: 3 };
    const rawOutput = { '$signalbox/ref': ref };
    log.append(...new LogWriter().call('u', { rawOutput }).events);
    await heard.whenAt(session, 3);
    const call = session.view.entries.at(-1);
    const found = call?.kind === 'tool_call' ? refOf(call.rawOutput?.value) : undefined;
    expect(found).toEqual(ref);
    kit.server.answers.set('_signalbox/content/read', ({ sessionId, seq, offset }) => {
      expect([sessionId, seq]).toEqual(['one', 3]);
      const end = Number(offset) + 1000;
      return { text: text.slice(Number(offset), end), offset, isLast: end >= text.length };
    });
    expect(await session.readContent(ref)).toBe(text);
    const parts: number[] = [];
    const onPart = (part: string): void => void parts.push(part.length);
    expect(await session.readContent(ref, { onPart })).toBeUndefined();
    expect(parts).toEqual([1000, 1000, 1000]);
  });
});
