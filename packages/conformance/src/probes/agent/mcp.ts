import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { at, isPresent, listAt, parseJson, stringAt } from '../../json/json.ts';
import { programPath } from '../../process/program-path.ts';
import type { AgentProbe } from './probe.ts';
import type { ProbeRun } from './probe-run.ts';

const ENV = [
  { name: 'Kit_Mixed', value: 'a "b" $c' },
  { name: 'KIT_EMPTY', value: '' },
];
const ARGS = ['two words', '$HOME', '*'];

interface KitServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { name: string; value: string }[];
}

/** MCP servers that the client names. */
export const MCP_PROBES: readonly AgentProbe[] = [
  {
    name: 'an MCP server over stdio',
    ids: ['R-MCP-01', 'R-MCP-08', 'R-CLS-03'],
    async run(probe) {
      const client = await probe.connect();
      const { server, log } = await kitServer(probe);
      const setup = { cwd: await probe.directory(), mcpServers: [server] };
      const answer = await client.request('session/new', setup, {
        timeoutMs: probe.bench.timeouts.turnMs,
      });
      if (answer.code === -32000) return;
      if (answer.isError) {
        // An agent that refuses every session says nothing of servers.
        await probe.ready();
        probe.fail(
          'R-MCP-01',
          'a session with an MCP server over stdio is refused',
          answer.message,
        );
        return;
      }
      const sessionId = stringAt(answer.result, 'sessionId');
      if (sessionId === undefined || sessionId === '') return;
      // An agent may start the server late, and go on with its turn meanwhile.
      await probe.prompt({ client, sessionId }, probe.prompts.text);
      await hasEvent([log], isAsking, probe.bench.timeouts.answerMs);
      const events = await readLog(log);
      const start = events.find(isStart);
      const isAsked = events.some(isAsking);
      probe.judge(
        'R-MCP-01',
        start !== undefined && isAsked,
        'the server is started and asked for its tools',
        answer.message,
      );
      if (start === undefined) return;
      judgeStart(probe, start);
      const agent = at(client.agent, 'agentCapabilities');
      if (!isPresent(agent, 'sessionCapabilities', 'close')) return;
      const close = await client.request('session/close', { sessionId });
      const isEnded = await hasEnded(log, probe.bench.timeouts.exitMs);
      probe.judge('R-CLS-03', isEnded, 'the MCP server of a closed session ends', close.message);
    },
  },
  {
    name: 'a broken MCP server among good ones',
    ids: ['R-MCP-06'],
    async run(probe) {
      const client = await probe.connect();
      const [one, two] = [await kitServer(probe, 'one'), await kitServer(probe, 'two')];
      const broken = { name: 'broken', command: '/does/not/exist', args: [], env: [] };
      const answer = await client.request(
        'session/new',
        { cwd: await probe.directory(), mcpServers: [one.server, broken, two.server] },
        { timeoutMs: probe.bench.timeouts.turnMs },
      );
      // Refusing the whole session says clearly that a server is broken.
      if (answer.isError) return;
      await probe.prompt(
        { client, sessionId: String(at(answer.result, 'sessionId')) },
        probe.prompts.text,
      );
      await hasEvent([one.log, two.log], isStart, probe.bench.timeouts.answerMs);
      const started = [await readLog(one.log), await readLog(two.log)];
      // Whoever starts none has no MCP servers at all, which the other probe says.
      if (started.every((events) => events.length === 0)) return;
      const isOk = started.every((events) => events.length > 0);
      probe.judge('R-MCP-06', isOk, 'the other servers are connected', answer.message);
    },
  },
];

async function kitServer(
  probe: ProbeRun,
  name = 'kit',
): Promise<{ server: KitServer; log: string }> {
  const log = join(await probe.directory(), `${name}.ndjson`);
  const program = programPath('mcp-server-program');
  return {
    server: { name, command: process.execPath, args: [program, log, ...ARGS], env: ENV },
    log,
  };
}

async function readLog(path: string): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson);
}

function judgeStart(probe: ProbeRun, start: unknown): void {
  const isArgs = JSON.stringify(listAt(start, 'args')) === JSON.stringify(ARGS);
  const isEnv = ENV.every(({ name, value }) => at(start, 'env', name) === value);
  const text = `the server gets ${JSON.stringify(at(start, 'args'))} and ${JSON.stringify(at(start, 'env'))}`;
  probe.found('R-MCP-08', isArgs && isEnv, text);
}

function isStart(event: unknown): boolean {
  return at(event, 'event') === 'start';
}

function isAsking(event: unknown): boolean {
  return at(event, 'method') === 'initialize';
}

/** Whether each of the servers logs such an event in time. */
async function hasEvent(
  logs: readonly string[],
  isWanted: (event: unknown) => boolean,
  timeoutMs: number,
): Promise<boolean> {
  return becomesTrue(async () => {
    const events = await Promise.all(logs.map(readLog));
    return events.every((each) => each.some(isWanted));
  }, timeoutMs);
}

async function hasEnded(log: string, timeoutMs: number): Promise<boolean> {
  return becomesTrue(async () => {
    const events = await readLog(log);
    const pid = at(events[0], 'pid');
    const isGone = typeof pid === 'number' && !isAlive(pid);
    return isGone || events.some((event) => at(event, 'event') === 'end');
  }, timeoutMs);
}

async function becomesTrue(isTrue: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

const POLL_MS = 50;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
