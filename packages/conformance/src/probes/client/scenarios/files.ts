import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, stringAt } from '../../../json/json.ts';
import { END_TURN, type Scenario } from '../scenario.ts';
import type { ClientAnswer, ScriptedAgent } from '../scripted-agent.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';
const TEXTS = ['a\r\nb\r\n', 'no newline at the end', '', 'ä€😀\n'];

/** The file system of the client. */
export const FILE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'reading files',
    ids: ['R-FS-03', 'R-FS-04', 'R-FS-08', 'R-FS-11', 'R-FRM-20', 'R-FRM-29'],
    blame: ['R-FS-03'],
    isHostile: true,
    async play(agent) {
      if (at(agent.capabilities, 'fs', 'readTextFile') !== true) {
        return notOffered(agent, 'fs/read_text_file', ['R-FS-03', 'R-FS-04', 'R-FS-08', 'R-FS-11']);
      }
      await readsWhole(agent);
      await readsParts(agent);
      const missing = await read(agent, join(agent.cwd, 'kit-missing.txt'));
      agent.judge('R-FS-08', missing.isError, 'a missing file is refused', missing.text);
      const relative = await read(agent, 'kit-relative.txt');
      agent.judge('R-FS-08', relative.isError, 'a relative path is refused', relative.text);
      const directory = await read(agent, agent.cwd);
      agent.judge('R-FS-08', directory.isError, 'a directory is refused', directory.text);
      const params = { sessionId: 'kit-no-session', path: join(agent.cwd, 'kit-lines.txt') };
      const stranger = await agent.request('fs/read_text_file', params);
      agent.judge('R-FS-11', stranger.isError, 'an unknown session is refused', stranger.text);
      return END_TURN;
    },
  },
  {
    name: 'writing files',
    ids: ['R-FS-05', 'R-FS-06', 'R-FS-07', 'R-FRM-20'],
    blame: ['R-FS-05'],
    async play(agent) {
      if (at(agent.capabilities, 'fs', 'writeTextFile') !== true) {
        return notOffered(agent, 'fs/write_text_file', ['R-FS-05', 'R-FS-06', 'R-FS-07']);
      }
      const path = join(agent.cwd, 'kit-written.txt');
      for (const content of ['a longer text\r\n', 'short']) {
        const answer = await agent.request('fs/write_text_file', {
          sessionId: agent.sessionId,
          path,
          content,
        });
        // A policy of the client may refuse it.
        if (answer.isError) return END_TURN;
        const written = await readFile(path, 'utf8').catch(() => undefined);
        agent.judge('R-FS-05', written !== undefined, 'a missing file is created', answer.text);
        agent.judge(
          'R-FS-06',
          written === content,
          'exactly the content is written',
          answer.text,
          written ?? '',
        );
      }
      return END_TURN;
    },
  },
  {
    name: 'files outside of the session',
    ids: ['R-DIR-07', 'R-FS-09'],
    isHostile: true,
    async play(agent) {
      if (at(agent.capabilities, 'fs', 'readTextFile') !== true) {
        for (const id of ['R-DIR-07', 'R-FS-09'])
          agent.notApplicable(id, 'fs.readTextFile is not offered');
        return END_TURN;
      }
      const directory = await mkdtemp(join(tmpdir(), 'kit-outside-'));
      const outside = join(directory, 'secret.txt');
      await writeFile(outside, 'wheatear-9021');
      const link = join(agent.cwd, 'kit-link.txt');
      await symlink(outside, link).catch(() => undefined);
      for (const path of [outside, join(agent.cwd, 'x', '..', '..', '..', outside), link]) {
        const answer = await read(agent, path);
        const text = 'a file outside of the session is refused';
        for (const id of ['R-DIR-07', 'R-FS-09'])
          agent.judge(id, answer.isError, text, path, answer.text);
      }
      await rm(directory, { recursive: true });
      return END_TURN;
    },
  },
];

async function readsWhole(agent: ScriptedAgent): Promise<void> {
  for (const [place, text] of TEXTS.entries()) {
    const path = join(agent.cwd, `kit-text-${place}.txt`);
    await writeFile(path, text);
    const answer = await read(agent, path);
    if (answer.isError) {
      agent.notExercised('R-FS-03', `reading was refused: ${answer.text}`);
      return;
    }
    const isSame = stringAt(answer.result, 'content') === text;
    agent.judge('R-FS-03', isSame, `${JSON.stringify(text)} comes back unchanged`, answer.text);
  }
}

async function readsParts(agent: ScriptedAgent): Promise<void> {
  const path = join(agent.cwd, 'kit-lines.txt');
  await writeFile(path, LINES);
  const cases: readonly [object, string][] = [
    [{ line: 2, limit: 2 }, 'two\nthree'],
    [{ line: 4 }, 'four\nfive'],
    [{ limit: 1 }, 'one'],
    [{ line: 1, limit: 1 }, 'one'],
    [{ line: 100 }, ''],
  ];
  for (const [part, expected] of cases) {
    const answer = await agent.request('fs/read_text_file', {
      sessionId: agent.sessionId,
      path,
      ...part,
    });
    // Whether a part ends with its line feed is left open.
    const isSame = stringAt(answer.result, 'content')?.replace(/\n$/, '') === expected;
    const isBeyond = expected === '' && answer.isError;
    if (isBeyond) agent.warn('R-FS-04', 'a line behind the end is refused', answer.text);
    else
      agent.judge(
        'R-FS-04',
        isSame,
        `${JSON.stringify(part)} gives ${JSON.stringify(expected)}`,
        answer.text,
      );
    if (isSame && 'line' in part) agent.pass('R-FRM-29', 'lines count from 1', answer.text);
  }
}

function read(agent: ScriptedAgent, path: string): Promise<ClientAnswer> {
  return agent.request('fs/read_text_file', { sessionId: agent.sessionId, path });
}

/** A method that was not offered is refused; whatever it would judge does not apply. */
export async function notOffered(
  agent: ScriptedAgent,
  method: string,
  ids: readonly string[],
): Promise<typeof END_TURN> {
  const params = {
    sessionId: agent.sessionId,
    path: join(agent.cwd, 'kit.txt'),
    content: '',
    command: 'true',
  };
  const answer = await agent.request(method, { ...params, terminalId: 'x' });
  if (answer.code === -32601)
    agent.pass('R-FRM-20', `${method}, not offered, is answered -32601`, answer.text);
  else agent.warn('R-FRM-20', `${method}, not offered, is not answered -32601`, answer.text);
  for (const id of ids) agent.notApplicable(id, `${method} is not offered`);
  return END_TURN;
}
