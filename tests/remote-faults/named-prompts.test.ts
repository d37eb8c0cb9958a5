import { describe, expect, it } from 'vitest';
import { AcpClient } from '../server/acp-client.ts';
import { Box } from '../server/box.ts';
import { say, script } from '../serving/stage.ts';

const STORY = script(say('once'));

describe('a prompt that is sent by many at once under one name (B154)', () => {
  it('runs once, over whichever door, and everybody is told how it ended', async () => {
    const box = await Box.open();
    const { stage } = box;
    const first = await AcpClient.open(box, 'websocket', await box.token());
    const sessionId = await first.newSession(stage.folder);
    const clients = [first];
    for (const door of ['websocket', 'http', 'websocket', 'http'] as const) {
      const client = await AcpClient.open(box, door, await box.token());
      const opened = { sessionId, cwd: stage.folder, mcpServers: [] };
      await client.connection.request('session/load', opened);
      clients.push(client);
    }
    const _meta = { 'signalbox/promptId': 'prompt-of-all' };
    const prompt = [{ type: 'text', text: STORY } as const];
    const sent = Array.from({ length: 50 }, (_, index) => {
      const client = clients[index % clients.length] ?? first;
      return client.connection.request('session/prompt', { sessionId, prompt, _meta });
    });
    expect(new Set((await Promise.all(sent)).map(({ stopReason }) => stopReason))).toEqual(
      new Set(['end_turn']),
    );
    expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(1);
    const other = [{ type: 'text', text: script(say('twice')) } as const];
    await expect(
      first.connection.request('session/prompt', { sessionId, prompt: other, _meta }),
    ).rejects.toMatchObject({ code: -32602, data: { failure: 'prompt_conflict' } });
    for (const { connection } of clients) await connection.close();
  });
});
