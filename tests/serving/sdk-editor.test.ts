import { PassThrough, Readable, Writable } from 'node:stream';
import { client, ndJsonStream } from '@agentclientprotocol/sdk';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { describe, expect, it } from 'vitest';
import { ask, say, script, Stage } from './stage.ts';

type Response = Record<string, unknown>;

/** The official SDK's client, connected over byte streams. */
function connect(stage: Stage): {
  call: (method: string, params: object) => Promise<Response>;
  notify: (method: string, params: object) => Promise<void>;
  told: string[];
  close: () => void;
} {
  const [toUs, toEditor] = [new PassThrough(), new PassThrough()];
  stage.serve(createStdioTransport(toUs, toEditor));
  const told: string[] = [];
  const connection = client({ name: 'sdk-editor' })
    .onNotification('session/update', ({ params: { update } }) => {
      const { sessionUpdate: kind } = update;
      const said = kind === 'agent_message_chunk' && update.content.type === 'text';
      told.push(said ? `${kind}: ${(update.content as { text: string }).text}` : kind);
    })
    .onRequest('session/request_permission', ({ params: { options } }) => ({
      outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' },
    }))
    .connect(
      ndJsonStream(
        Writable.toWeb(toUs) as WritableStream<Uint8Array>,
        Readable.toWeb(toEditor) as ReadableStream<Uint8Array>,
      ),
    );
  const { agent } = connection;
  return {
    call: (method, params) => agent.request(method as never, params as never),
    notify: (method, params) => agent.notify(method as never, params as never),
    told,
    close: () => connection.close(),
  };
}

describe("the official SDK's client as the editor", () => {
  it('makes a session, prompts, is asked, cancels, lists, loads, closes and deletes', async () => {
    const stage = await Stage.open();
    const editor = connect(stage);
    const shaken = await editor.call('initialize', { protocolVersion: 1, clientCapabilities: {} });
    expect(shaken).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
    const place = { cwd: stage.folder, mcpServers: [] };
    const { sessionId } = await editor.call('session/new', place);
    const text = script(say('one'), ask(), say('two'));
    const prompt = (value: string): Promise<Response> =>
      editor.call('session/prompt', { sessionId, prompt: [{ type: 'text', text: value }] });
    expect(await prompt(text)).toEqual({ stopReason: 'end_turn' });
    const said = [
      'agent_message_chunk: one',
      'agent_message_chunk: {"outcome":"selected","optionId":"yes"}',
      'agent_message_chunk: two',
    ];
    // The agent says nothing more of what it has asked leave for, so that ends with the turn.
    expect(editor.told).toEqual([...said, 'tool_call_update']);
    const running = prompt(script({ cancel: true }));
    await editor.notify('session/cancel', { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(await editor.call('session/list', {})).toMatchObject({ sessions: [{ sessionId }] });
    editor.told.length = 0;
    await editor.call('session/load', { sessionId, ...place });
    expect(editor.told.filter((line) => line.startsWith('agent'))).toEqual([
      said[0],
      `${said[1]}two`,
    ]);
    expect(await editor.call('session/close', { sessionId })).toEqual({});
    expect(await editor.call('session/resume', { sessionId, ...place })).toEqual({});
    expect(await editor.call('session/delete', { sessionId })).toEqual({});
    expect(await editor.call('session/list', {})).toEqual({ sessions: [] });
    editor.close();
  });
});
