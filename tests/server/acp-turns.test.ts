import { describe, expect, it } from 'vitest';
import { say, script } from '../serving/stage.ts';
import { AcpClient } from './acp-client.ts';
import { Box } from './box.ts';

const DOORS = ['websocket', 'http'] as const;

describe.for(DOORS)('turns by %s', (door) => {
  /** A client with a session of its own. */
  async function open(agent: string) {
    const box = await Box.open({ stage: { agent, settings: { settleMs: 0 } } });
    const client = await AcpClient.open(box, door, await box.token());
    const sessionId = await client.newSession(box.stage.folder);
    return { box, client, sessionId };
  }

  it('tell what an agent writes byte by byte as it wrote it (B01)', async () => {
    const { client, sessionId } = await open('writes-bytes');
    const text = 'é ✓ 漢字 😀 \u2028 👩‍💻';
    await client.prompt(sessionId, text);
    await client.untilSaid(text);
    await client.connection.close();
  });

  it('are answered behind all that was said in them (B07, B32)', async () => {
    const { client, sessionId } = await open('floods');
    await client.prompt(sessionId, '5000');
    expect(client.updates).toHaveLength(5000);
    await client.connection.close();
  });

  it('take the next prompt as soon as one is answered (B31)', async () => {
    const { client, sessionId } = await open('chunks');
    const prompt = [{ type: 'text', text: '1' } as const];
    const _meta = { 'signalbox/whenBusy': 'refuse' };
    for (let round = 0; round < 50; round++) {
      await client.connection.request('session/prompt', { sessionId, prompt, _meta });
    }
    expect(client.updates).toHaveLength(50);
    await client.connection.close();
  });

  it('are cancelled by what is sent right behind the prompt (B47)', async () => {
    const { box, client, sessionId } = await open('scripted');
    for (let round = 0; round < 30; round++) {
      const answer = client.prompt(sessionId, script({ cancel: true }));
      void client.connection.notify('session/cancel', { sessionId });
      expect(await answer).toEqual({ stopReason: 'cancelled' });
    }
    expect(await client.prompt(sessionId, script(say('fine')))).toEqual({ stopReason: 'end_turn' });
    expect(await box.stage.eventsOf(sessionId, 'turn.started')).toHaveLength(31);
    await client.connection.close();
  });
});

describe('turns of clients by different doors', () => {
  it('run one after the other, and each client is told of its own end (B30)', async () => {
    const box = await Box.open({ stage: { agent: 'one-turn-at-a-time' } });
    const first = await AcpClient.open(box, 'websocket', await box.token());
    const second = await AcpClient.open(box, 'http', await box.token());
    const cwd = box.stage.folder;
    const sessionId = await first.newSession(cwd);
    await second.connection.request('session/load', { sessionId, cwd, mcpServers: [] });
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = texts.map((text, index) =>
      (index % 2 === 0 ? first : second).prompt(sessionId, text),
    );
    expect(await Promise.all(answers)).toEqual(texts.map(() => ({ stopReason: 'end_turn' })));
    for (const client of [first, second]) {
      await Promise.all(texts.map((text) => client.untilSaid(`end ${text}`)));
      const said = client.updates.flatMap((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
          ? [update.content.text]
          : [],
      );
      expect(said.filter((text) => text === 'overlap')).toEqual([]);
      expect(said.filter((text) => text.startsWith('end'))).toHaveLength(texts.length);
      await client.connection.close();
    }
  });
});
