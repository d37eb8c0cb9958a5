import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RawJson, RpcError, type ClientCapabilities } from '@signalbox/acp';
import { expect, test } from 'vitest';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import type { AttachedClient, Session } from '../../packages/host/src/index.ts';
import { command, Harness, textsOf, untilEvent } from './harness.ts';

type Call = [method: string, params: object];

/** Has the agent make these calls; gives its answers. */
async function calls(harness: Harness, session: Session, ...made: Call[]): Promise<unknown[]> {
  const before = textsOf(await harness.events(session)).length;
  await session.prompt(command(JSON.stringify(made)));
  const said = textsOf(await harness.events(session)).slice(before);
  return said.map((text) => JSON.parse(text) as unknown);
}

test('an agent reads and writes files in its folder, and the log has what was there', async () => {
  const harness = await Harness.open();
  const session = await harness.create('uses-client');
  const path = join(harness.folder, 'a.txt');
  writeFileSync(path, 'one\r\ntwo\r\n');
  const answers = await calls(
    harness,
    session,
    ['fs/read_text_file', { path, line: 2, limit: 1 }],
    ['fs/write_text_file', { path, content: 'changed' }],
    ['fs/read_text_file', { path: join(harness.folder, 'missing.txt') }],
  );
  expect(answers).toMatchObject([{ content: 'two\r\n' }, {}, { code: -32002 }]);
  expect(readFileSync(path, 'utf8')).toBe('changed');
  const accesses = (await harness.events(session)).flatMap((event) =>
    event.type === 'file.accessed' ? [event.data] : [],
  );
  expect(accesses.map(({ kind, bytes }) => [kind, bytes])).toEqual([
    ['read', 10],
    ['write', 7],
  ]);
  expect(accesses[1]?.digestBefore).toBe(accesses[0]?.digestAfter);
});

test('nothing outside of the folder is reachable, by whatever spelling', async () => {
  const harness = await Harness.open();
  const session = await harness.create('uses-client');
  symlinkSync('/etc', join(harness.folder, 'etc'));
  const answers = await calls(
    harness,
    session,
    ['fs/read_text_file', { path: '/etc/passwd' }],
    ['fs/read_text_file', { path: join(harness.folder, 'etc/passwd') }],
    ['fs/write_text_file', { path: `${harness.folder}/../escaped`, content: 'x' }],
    ['terminal/create', { command: 'pwd', cwd: '/' }],
  );
  for (const answer of answers) expect(answer).toMatchObject({ code: -32602 });
});

test('an agent runs commands, and the log keeps the end of their output', async () => {
  const harness = await Harness.open();
  const session = await harness.create('uses-client');
  mkdirSync(join(harness.folder, 'inner'));
  const id = { terminalId: '$terminal' };
  const answers = await calls(
    harness,
    session,
    ['terminal/create', { command: 'echo out; exit 3', cwd: join(harness.folder, 'inner') }],
    ['terminal/wait_for_exit', id],
    ['terminal/output', id],
    ['terminal/release', id],
    ['terminal/output', id],
  );
  expect(answers.slice(1)).toMatchObject([
    { exitCode: 3 },
    { output: 'out\n', truncated: false },
    {},
    { code: -32002 },
  ]);
  const exited = (await harness.events(session)).find(({ type }) => type === 'terminal.exited');
  expect(exited?.data).toMatchObject({ exitCode: 3, output: 'out\n', outputBytes: 4 });
});

test('a command gets the variables of its agent, and rather those that it was given', async () => {
  const harness = await Harness.open({ entry: { env: { A: 'agent', B: 'agent' } } });
  const session = await harness.create('uses-client');
  const id = { terminalId: '$terminal' };
  const answers = await calls(
    harness,
    session,
    ['terminal/create', { command: 'echo $A $B', env: [{ name: 'B', value: 'own' }] }],
    ['terminal/wait_for_exit', id],
    ['terminal/output', id],
  );
  expect(answers[2]).toMatchObject({ output: 'agent own\n' });
});

test('commands of an agent that is killed end with it, and the log says so', async () => {
  const harness = await Harness.open();
  const session = await harness.create('uses-client');
  const create: Call = ['terminal/create', { command: 'sleep', args: ['500'] }];
  const wait: Call = ['terminal/wait_for_exit', { terminalId: '$terminal' }];
  const outcome = session.prompt(command(JSON.stringify([create, create, create, wait])));
  const { data: agent } = await untilEvent(session, 'agent.started');
  let started = 0;
  await untilEvent(session, 'terminal.started', () => ++started === 3);
  process.kill(agent.pid, 'SIGKILL');
  expect((await outcome).end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
  const exited = await harness.eventsOf(session, 'terminal.exited');
  expect(exited.map(({ data }) => data.signal)).toEqual(['SIGTERM', 'SIGTERM', 'SIGTERM']);
  expect(markedProcesses(session.id)).toEqual([]);
  expect((await session.prompt(command('[]'))).end).toMatchObject({ stopReason: 'end_turn' });
});

test('where everything is denied, the host denies what an agent does without asking', async () => {
  const harness = await Harness.open();
  const session = await harness.create('uses-client', { policyLevel: 'deny' });
  const answers = await calls(
    harness,
    session,
    ['fs/write_text_file', { path: join(harness.folder, 'x'), content: '' }],
    ['terminal/create', { command: 'touch made' }],
  );
  for (const answer of answers) expect(answer).toMatchObject({ data: { reason: 'denied' } });
});

/** A client that serves files from its unsaved buffers. */
function editor(capabilities: ClientCapabilities): AttachedClient & { asked: [string, unknown][] } {
  const asked: [string, unknown][] = [];
  return {
    asked,
    capabilities,
    request: (method, params) => {
      asked.push([method, params.value]);
      return Promise.resolve(new RawJson('{"content":"unsaved","big":9007199254740993}'));
    },
    requestExtension: (method, params) => {
      asked.push([method, params.value]);
      if (method !== '_vendor/known') return Promise.reject(new RpcError(-32601, 'Not found'));
      return Promise.resolve(new RawJson('{"known":12345678901234567890}'));
    },
    notifyExtension: () => undefined,
    elicitationComplete: () => undefined,
  };
}

test('a client that offers its files serves them, under our session id, behind the guard', async () => {
  const harness = await Harness.open();
  const session = await harness.create('uses-client');
  const client = editor({ fs: { readTextFile: true } });
  const detach = session.attachClient(client);
  const path = join(harness.folder, 'a.txt');
  writeFileSync(path, 'saved');
  const read: Call = ['fs/read_text_file', { path, _meta: { extra: 1 } }];
  const outside: Call = ['fs/read_text_file', { path: '/etc/passwd' }];
  const answers = await calls(harness, session, read, outside);
  expect(answers).toMatchObject([{ content: 'unsaved' }, { code: -32602 }]);
  expect(client.asked).toEqual([
    ['fs/read_text_file', { sessionId: session.id, path, _meta: { extra: 1 } }],
  ]);
  detach();
  expect(await calls(harness, session, read)).toMatchObject([{ content: 'saved' }]);
});

test('elicitation is offered only when somebody is there who offers it', async () => {
  const harness = await Harness.open();
  const alone = await harness.create('uses-client');
  const ask: Call = [
    'elicitation/create',
    { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } },
  ];
  expect(await calls(harness, alone, ask)).toMatchObject([{ code: -32601 }]);
  const session = await harness.create('uses-client');
  session.attachClient(editor({ elicitation: { form: {} } }));
  expect(await calls(harness, session, ask)).toMatchObject([{ content: 'unsaved' }]);
  const initialized = harness.wire.filter(({ method }) => method === 'initialize');
  const offered = initialized.map(({ params }) => params as { clientCapabilities: object });
  expect(offered.map(({ clientCapabilities }) => 'elicitation' in clientCapabilities)).toEqual([
    false,
    true,
  ]);
});

test('methods that the protocol does not define go to a client that knows them', async () => {
  const harness = await Harness.open();
  const session = await harness.create('uses-client');
  expect(await calls(harness, session, ['_vendor/known', {}])).toMatchObject([{ code: -32601 }]);
  const client = editor({});
  session.attachClient(client);
  const answers = await calls(harness, session, ['_vendor/known', { n: 1 }], ['_vendor/other', {}]);
  expect(answers).toMatchObject([{ known: 12345678901234567890 }, { code: -32601 }]);
  expect(client.asked[0]).toEqual(['_vendor/known', { sessionId: session.id, n: 1 }]);
});

test('an agent may use its client while it loads a session, behind what it replays (B09)', async () => {
  const harness = await Harness.open({ entry: { env: { WAY: 'reads' } } });
  writeFileSync(join(harness.folder, 'notes'), 'the notes');
  const session = await harness.create('restores-oddly');
  await session.prompt(command('first'));
  await session.endAgent();
  await session.prompt(command('second'));
  const texts = textsOf(await harness.events(session));
  expect(texts).toEqual(['got 1 blocks', 'got 1 blocks, read the notes']);
});
