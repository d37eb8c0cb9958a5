import { at, stringAt, type JsonObject } from '../../../json/json.ts';
import { timed, TIMED_OUT } from '../../../process/timed.ts';
import { END_TURN, type Scenario } from '../scenario.ts';
import type { ClientAnswer, ScriptedAgent } from '../scripted-agent.ts';
import { notOffered } from './files.ts';

const IDS = ['02', '03', '04', '06', '07', '08', '09', '10', '11', '16', '17'].map(
  (n) => `R-TRM-${n}`,
);
const ARGS = ['two words', '$HOME', '*', '"quoted"'];
/** How long the commands of this scenario take at most, on a busy machine. */
const EXIT_MS_MAX = 10_000;
const SHOW =
  'console.log(JSON.stringify([process.argv.slice(1), process.env.KIT_A, process.cwd()]))';

/** The terminals of the client. */
export const TERMINAL_SCENARIOS: readonly Scenario[] = [
  {
    name: 'commands in terminals',
    ids: [...IDS, 'R-FRM-20'],
    blame: ['R-TRM-02'],
    isHostile: true,
    async play(agent) {
      if (at(agent.capabilities, 'terminal') !== true)
        return notOffered(agent, 'terminal/create', IDS);
      const first = await create(agent, {
        args: ['-e', SHOW, ...ARGS],
        env: [{ name: 'KIT_A', value: 'a b' }],
        cwd: agent.cwd,
      });
      if (first.id === undefined) {
        for (const id of IDS)
          agent.notExercised(id, `terminal/create was refused: ${first.answer.text}`);
        return END_TURN;
      }
      await runsAsGiven(agent, first.id);
      await exits(agent);
      await limits(agent);
      await kills(agent);
      await belongsToSession(agent);
      await cannotStart(agent);
      agent.pass('R-TRM-02', 'all five methods are served');
      return END_TURN;
    },
  },
];

async function runsAsGiven(agent: ScriptedAgent, terminalId: string): Promise<void> {
  await call(agent, 'wait_for_exit', terminalId);
  const output = await call(agent, 'output', terminalId);
  const [args, value, cwd] = parse(stringAt(output.result, 'output'));
  const isSame =
    JSON.stringify(args) === JSON.stringify(ARGS) &&
    value === 'a b' &&
    sameDirectory(cwd, agent.cwd);
  agent.judge(
    'R-TRM-04',
    isSame,
    'arguments, environment and directory arrive unchanged',
    output.text,
  );
  const hasExit = at(output.result, 'exitStatus') != null;
  agent.judge(
    'R-TRM-06',
    hasExit && at(output.result, 'truncated') === false,
    'output and exit status are told',
    output.text,
  );
  await call(agent, 'release', terminalId);
  const after = await call(agent, 'output', terminalId);
  agent.judge('R-TRM-11', after.isError, 'a released terminal is refused', after.text);
}

async function exits(agent: ScriptedAgent): Promise<void> {
  const { id: slow, ms } = await create(agent, {
    args: ['-e', 'setTimeout(() => process.exit(3), 1200)'],
  });
  if (slow === undefined) return;
  agent.judge('R-TRM-03', ms < 1000, 'terminal/create is answered within a second');
  const running = await call(agent, 'output', slow);
  const isRunning = at(running.result, 'exitStatus') == null;
  agent.judge(
    'R-TRM-06',
    isRunning,
    'there is no exit status while the command runs',
    running.text,
  );
  const waiters = await Promise.all([
    call(agent, 'wait_for_exit', slow),
    call(agent, 'wait_for_exit', slow),
  ]);
  const areAll = waiters.every(({ result }) => at(result, 'exitCode') === 3);
  agent.judge(
    'R-TRM-09',
    areAll,
    'all who wait learn of the exit',
    ...waiters.map(({ text }) => text),
  );
  agent.judge('R-TRM-08', areAll, 'the exit code is told', ...waiters.map(({ text }) => text));
  await call(agent, 'release', slow);
}

async function limits(agent: ScriptedAgent): Promise<void> {
  for (const limit of [10, 11, 12]) {
    const { id } = await create(agent, {
      args: ['-e', "process.stdout.write('x€€€€€y')"],
      outputByteLimit: limit,
    });
    if (id === undefined) return;
    await call(agent, 'wait_for_exit', id);
    const output = await call(agent, 'output', id);
    const text = stringAt(output.result, 'output') ?? '';
    const isTail = 'x€€€€€y'.endsWith(text) && text !== '' && Buffer.byteLength(text) <= limit;
    const isTold = at(output.result, 'truncated') === true;
    agent.judge(
      'R-TRM-07',
      isTail && isTold,
      `of 17 bytes the last ${limit} are kept`,
      output.text,
    );
    await call(agent, 'release', id);
  }
}

async function kills(agent: ScriptedAgent): Promise<void> {
  const { id } = await create(agent, {
    args: ['-e', "console.log('up'); setInterval(() => {}, 1000)"],
  });
  if (id === undefined) return;
  const waiting = call(agent, 'wait_for_exit', id);
  const reading = call(agent, 'output', id, EXIT_MS_MAX);
  // A command that does not resist, and output that is there, need no longer.
  const soonMs = agent.answerMs / 2;
  // What is awaited no longer may still fail.
  for (const each of [waiting, reading]) each.catch(() => undefined);
  const isRead = (await timed(reading, soonMs)) !== TIMED_OUT;
  agent.judge('R-TRM-06', isRead, 'output is told while somebody waits for the exit');
  const kill = await call(agent, 'kill', id);
  const exit = await timed(waiting, soonMs);
  if (exit === TIMED_OUT) {
    agent.judge('R-TRM-10', false, 'kill ends the command', kill.text);
    await call(agent, 'release', id);
    return;
  }
  const isKilled = !kill.isError && !exit.isError;
  agent.judge(
    'R-TRM-10',
    isKilled,
    'kill ends the command and those who wait learn of it',
    kill.text,
    exit.text,
  );
  const output = await call(agent, 'output', id);
  agent.judge('R-TRM-10', !output.isError, 'the output can be read after kill', output.text);
  const isSignal = typeof at(exit.result, 'signal') === 'string';
  if (process.platform !== 'win32') {
    agent.judge('R-TRM-08', isSignal, 'the signal is told', exit.text);
  }
  await call(agent, 'release', id);
}

async function belongsToSession(agent: ScriptedAgent): Promise<void> {
  const { id } = await create(agent, { args: ['-e', ''] });
  if (id === undefined) return;
  const params = { sessionId: 'kit-no-session', terminalId: id };
  const answer = await agent.request('terminal/output', params);
  agent.judge('R-TRM-16', answer.isError, 'another session cannot use a terminal', answer.text);
  await call(agent, 'release', id);
}

async function cannotStart(agent: ScriptedAgent): Promise<void> {
  const params = { sessionId: agent.sessionId, command: '/kit/does/not/exist', args: ['x'] };
  const answer = await agent.request('terminal/create', params);
  const id = stringAt(answer.result, 'terminalId');
  if (id !== undefined) await call(agent, 'wait_for_exit', id);
  agent.pass('R-TRM-17', 'a command that cannot be started is told', answer.text);
}

async function create(
  agent: ScriptedAgent,
  params: JsonObject,
): Promise<{ id: string | undefined; answer: ClientAnswer; ms: number }> {
  const started = performance.now();
  const answer = await agent.request('terminal/create', {
    sessionId: agent.sessionId,
    command: process.execPath,
    ...params,
  });
  return { id: stringAt(answer.result, 'terminalId'), answer, ms: performance.now() - started };
}

function call(
  agent: ScriptedAgent,
  what: string,
  terminalId: string,
  // How long a command takes is not up to the client.
  timeoutMs = what === 'wait_for_exit' ? EXIT_MS_MAX : agent.answerMs,
): Promise<ClientAnswer> {
  const params = { sessionId: agent.sessionId, terminalId };
  return agent.request(`terminal/${what}`, params, { timeoutMs });
}

function parse(output: string | undefined): readonly unknown[] {
  try {
    return JSON.parse(output ?? '') as unknown[];
  } catch {
    return [];
  }
}

/** Temporary directories have several names on some systems. */
function sameDirectory(a: unknown, b: string): boolean {
  return typeof a === 'string' && (a === b || a.endsWith(b) || b.endsWith(a));
}
