import { memberText } from '@signalbox/acp';
import { describe, expect, it } from 'vitest';
import type { Editor } from './editor.ts';
import { say, script, Stage, update } from './stage.ts';

/** Two editors that have one session open. */
async function twoEditors(stage: Stage): Promise<[a: Editor, b: Editor, sessionId: string]> {
  const a = await stage.connect({ clientInfo: { name: 'zed', version: '1' } });
  const b = await stage.connect({ clientInfo: { name: 'zed', version: '1' } });
  const sessionId = await a.newSession(stage.folder);
  await b.load(sessionId, stage.folder);
  b.clear();
  return [a, b, sessionId];
}

const EXACT = [
  '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\\u0041 \\/"},"_meta":{"n":12345678901234567890}}',
  '{"sessionUpdate":"tool_call","toolCallId":"c","title":"T","rawInput":{"big":9007199254740993,"one":1.0,"one":2},"futureMember":[1.50]}',
  '{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","rawOutput":{"e":1e2}}',
  '{"sessionUpdate":"plan","entries":[{"content":"x","priority":"high","status":"pending","due":1.0}]}',
  '{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"web","description":"d","x":1.0}]}',
  '{"sessionUpdate":"usage_update","used":1,"size":200000,"cost":{"amount":0.10,"currency":"USD"}}',
  '{ "sessionUpdate" : "_vendor" , "n" : 1.0 }',
];

describe('updates', () => {
  it('keep every character on their way through', async () => {
    const stage = await Stage.open();
    const [a, b, sessionId] = await twoEditors(stage);
    await a.prompt(sessionId, script(...EXACT.map(update)));
    await b.until(() => b.updates().length === EXACT.length + 1);
    expect(a.arrived.map(({ text }) => text)).toEqual(EXACT);
    expect(b.arrived.slice(1).map(({ text }) => text)).toEqual(EXACT);
  });

  it('that the protocol forbids are not sent, but counted', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const broken = [
      '{"sessionUpdate":"agent_message_chunk","content":[{"type":"text","text":"a list"}]}',
      '{"sessionUpdate":"plan","entries":"none"}',
      '{"no":"kind"}',
    ];
    await editor.prompt(sessionId, script(...broken.map(update), say('fine')));
    expect(editor.story).toEqual(['agent: fine']);
    expect(editor.server.withheldCount).toBe(3);
    expect(stage.logged.join('\n')).toContain('was not sent');
  });

  it('that a client did not ask for are not sent to it', async () => {
    const stage = await Stage.open();
    const plain = await stage.connect();
    const able = await stage.connect({
      capabilities: { session: { notices: {}, compaction: {}, configOptions: { boolean: {} } } },
    });
    const sessionId = await plain.newSession(stage.folder);
    await able.load(sessionId, stage.folder);
    able.clear();
    const options =
      '[{"type":"boolean","id":"b","name":"B","currentValue":true},' +
      '{"type":"select","id":"s","name":"S","currentValue":"x","options":[{"value":"x","name":"X"}],"n":1.0}]';
    const gated = [
      '{"sessionUpdate":"notice","severity":"info","title":"Hello"}',
      '{"sessionUpdate":"compaction_update","compactionId":"1","status":"in_progress"}',
      '{"sessionUpdate":"compaction_summary_chunk","compactionId":"1","content":{"type":"text","text":"x"}}',
      `{"sessionUpdate":"config_option_update","configOptions":${options}}`,
    ];
    await plain.prompt(sessionId, script(...gated.map(update)));
    await able.until(() => able.updates().length === gated.length + 1);
    expect(able.arrived.slice(1).map(({ text }) => text)).toEqual(gated);
    const [only] = plain.arrived;
    expect(plain.arrived).toHaveLength(1);
    expect(memberText(only?.text ?? '', 'configOptions')).toBe(
      '[{"type":"select","id":"s","name":"S","currentValue":"x","options":[{"value":"x","name":"X"}],"n":1.0}]',
    );
  });

  it('tell other clients what was asked, and not the one that asked', async () => {
    const stage = await Stage.open();
    const [a, b, sessionId] = await twoEditors(stage);
    const content = [
      { type: 'resource_link', uri: 'file:///x', name: 'x' } as const,
      { type: 'text', text: 'hello' } as const,
    ];
    await a.prompt(sessionId, content);
    await b.until(() => b.said.length === 1);
    expect(a.story).toEqual(['agent: hello']);
    expect(b.story).toEqual(['user: (resource_link)', 'user: hello', 'agent: hello']);
    await b.prompt(sessionId, 'from b');
    await a.until(() => a.said.length === 2);
    expect(a.story.slice(1)).toEqual(['user: from b', 'agent: from b']);
    expect(b.story.slice(3)).toEqual(['agent: from b']);
  });

  it('pass on what an agent reports of a user, if it is not the prompt', async () => {
    const stage = await Stage.open();
    const [a, b, sessionId] = await twoEditors(stage);
    const echoing = script(update(echo('not the prompt')), say('end'));
    await a.prompt(sessionId, echoing);
    await b.untilSaid('end');
    expect(a.story).toEqual(['user: not the prompt', 'agent: end']);
    expect(b.story).toEqual([`user: ${echoing}`, 'user: not the prompt', 'agent: end']);
  });

  it('leave out a prompt that the agent repeats in pieces', async () => {
    const stage = await Stage.open({ agent: 'repeats-prompt' });
    const [a, b, sessionId] = await twoEditors(stage);
    await a.prompt(sessionId, 'say it again');
    await b.untilSaid('done');
    expect(a.story).toEqual(['agent: done']);
    expect(b.story).toEqual(['user: say it again', 'agent: done']);
  });

  it('reach a quick client at its own pace beside one that reads nothing', async () => {
    const stage = await Stage.open({ agent: 'floods' });
    const [quick, stalled, sessionId] = await twoEditors(stage);
    const letGo = stalled.stall();
    await quick.prompt(sessionId, '5000');
    expect(quick.said).toHaveLength(5000);
    expect(stalled.said.length).toBeLessThan(5000);
    letGo();
    await stalled.untilSaid('5000');
    expect(stalled.said).toEqual(quick.said);
  });

  it('name two windows of one editor apart in the log', async () => {
    const stage = await Stage.open();
    const [a, b, sessionId] = await twoEditors(stage);
    await a.prompt(sessionId, 'one');
    await b.prompt(sessionId, 'two');
    const names = (await stage.eventsOf(sessionId, 'turn.started')).map(({ data }) => data.by);
    expect(names).toEqual([
      { kind: 'client', name: 'zed' },
      { kind: 'client', name: 'zed (2)' },
    ]);
  });
});

function echo(text: string): object {
  return { sessionUpdate: 'user_message_chunk', content: { type: 'text', text } };
}
