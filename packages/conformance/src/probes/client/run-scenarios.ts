import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observation } from '../../findings/observation.ts';
import { runPassive } from '../../passive/run-passive.ts';
import { runWireChecks } from '../../wire/run-wire-checks.ts';
import { Child, describeExit, type Exit } from '../../process/child.ts';
import { parseEntry, writeTrace } from '../../trace/trace-file.ts';
import type { TraceEntry } from '../../trace/trace-entry.ts';
import type { TransportKind } from '../../transport-kind.ts';
import { openScratch } from '../../process/scratch.ts';
import { whyNotOver } from '../played-over.ts';
import { anchorCommand, fillCommand } from './fill-command.ts';
import {
  DEFAULT_CLIENT_TIMEOUTS,
  type CheckClientOptions,
  type ClientTimeouts,
} from './options.ts';
import type { ReportLine } from './report-line.ts';
import type { Scenario } from './scenario.ts';
import { CLIENT_SCENARIOS } from './scenarios.ts';
import { judgeOther } from './judge-other.ts';
import { judgeOutput } from './judge-output.ts';
import { observe, type ScenarioRun } from './scenario-run.ts';
import { setStage } from './set-stage.ts';

const PROMPT = 'kit prompt: please begin';
const POLL_MS = 25;

/** Plays the scenarios, and runs the passive checks over everything that was said. */
export async function runScenarios(options: CheckClientOptions): Promise<readonly Observation[]> {
  const scratch = await openScratch();
  if (options.traceDirectory !== undefined)
    await mkdir(options.traceDirectory, { recursive: true });
  try {
    const { transport = 'stdio' } = options;
    const [first, ...others] = CLIENT_SCENARIOS;
    if (first === undefined) return [];
    const baseline = await perform(first, scratch.path, options);
    if (!baseline.events.includes('prompted')) {
      const said = runPassive(baseline.trace, { isHostile: false, transport });
      const broken = said.filter(({ side, outcome }) => side === 'client' && outcome === 'failed');
      return [neverPrompted(baseline, transport), ...broken, ...judgeWire(baseline)];
    }
    const asked = others.filter((scenario) => isChosen(scenario, options.only));
    const chosen = asked.filter(({ over }) => whyNotOver(over, transport) === undefined);
    const queue = [...chosen];
    const judged = isChosen(first, options.only) ? judge(baseline, baseline, options) : [];
    const observations = [...judged, ...asked.flatMap((each) => notPlayed(each, transport))];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        observations.push(...judge(await perform(next, scratch.path, options), baseline, options));
        options.onProgress?.(next.name, chosen.length - queue.length, chosen.length);
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 1) }, work));
    return observations;
  } finally {
    await scratch.remove();
  }
}

function isChosen({ name, ids }: Scenario, only: readonly string[] | undefined): boolean {
  return only === undefined || only.includes(name) || ids.some((id) => only.includes(id));
}

async function perform(
  scenario: Scenario,
  scratch: string,
  options: CheckClientOptions,
): Promise<ScenarioRun> {
  const timeouts = { ...DEFAULT_CLIENT_TIMEOUTS, ...options.timeouts };
  const cwd = await mkdtemp(join(scratch, 'client-'));
  const report = join(await mkdtemp(join(scratch, 'report-')), 'report.ndjson');
  const stage = await setStage(scenario, report, { ...options, timeouts });
  const command = fillCommand(anchorCommand(options.command, process.cwd()), {
    ...stage,
    prompt: scenario.prompt ?? PROMPT,
  });
  const child = new Child({ command, cwd, env: options.env ?? {} });
  let output = '';
  child.output.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const exit = await waitForEnd(child, report, {
    timeouts,
    scenario,
    cancelSignal: options.cancelSignal,
  });
  const isAgentLeft = exit !== undefined && (await isLeft(child, timeouts.endMs));
  await child.kill();
  await stage.endpoint?.close();
  const run = {
    scenario,
    ...parseReport(await readFile(report, 'utf8').catch(() => '')),
    output: `${output}\n${child.stderr}`,
    exit,
    isAgentLeft,
    wire: stage.endpoint?.log,
  };
  if (options.traceDirectory !== undefined) {
    const name = `${scenario.name.replace(/[^a-z0-9]+/gi, '-')}.ndjson`;
    await writeTrace(join(options.traceDirectory, name), run.trace);
  }
  return run;
}

/** Waits until the client ends by itself; one that stays after its turn is given a bounded time. */
async function waitForEnd(
  child: Child,
  report: string,
  how: { timeouts: ClientTimeouts; scenario: Scenario; cancelSignal: NodeJS.Signals | undefined },
): Promise<Exit | undefined> {
  const { timeouts, scenario, cancelSignal } = how;
  const started = performance.now();
  let doneAt = Infinity;
  let hasCancelled = false;
  for (;;) {
    if (child.exit !== undefined) return child.exit;
    const now = performance.now();
    if (now - started > timeouts.scenarioMs || now - doneAt > timeouts.endMs) return undefined;
    const { events, agentPid } = parseReport(await readFile(report, 'utf8').catch(() => ''));
    if (events.includes('cancel_now') && scenario.isCancelled === true && !hasCancelled) {
      hasCancelled = true;
      if (cancelSignal !== undefined) child.signal(cancelSignal);
    }
    const isOver = events.includes('done') || events.includes('eof');
    const isDead = agentPid !== undefined && !isRunning(agentPid);
    if (doneAt === Infinity && (isOver || isDead)) doneAt = now;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function isLeft(child: Child, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (child.leftovers().length > 0) {
    if (performance.now() > deadline) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

function parseReport(
  text: string,
): Pick<ScenarioRun, 'trace' | 'judgements' | 'events'> & { agentPid: number | undefined } {
  const trace: TraceEntry[] = [];
  const judgements: Observation[] = [];
  const events: string[] = [];
  let agentPid: number | undefined;
  for (const line of text.split('\n')) {
    // The last line may just be being written.
    if (!line.endsWith('}')) continue;
    const value = JSON.parse(line) as ReportLine | { dir: string };
    if ('dir' in value) trace.push(parseEntry(line));
    else if ('judgement' in value) judgements.push(value.judgement);
    else events.push(value.event);
    if ('pid' in value) agentPid = value.pid;
  }
  return { trace, judgements, events, agentPid };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function judge(
  run: ScenarioRun,
  baseline: ScenarioRun,
  { transport = 'stdio', command }: CheckClientOptions,
): Observation[] {
  const { scenario, trace, judgements } = run;
  const { name: within, isHostile = false } = scenario;
  const passive = runPassive(trace, { isHostile, transport })
    .filter(({ side }) => side === 'client')
    .map((each) => ({ ...each, within }));
  const seen = [...passive, ...judgeWire(run)];
  const own = [...judgements, ...judgeOutput(run, baseline), ...judgeOther(run, command)];
  const isBroken = run.events.includes('kit_failed');
  const why = isBroken ? 'the scenario itself failed' : 'the situation did not come up';
  const rest = scenario.ids.filter((id) => ![...own, ...seen].some((each) => each.id === id));
  return [...own, ...seen, ...rest.map((id) => observe(scenario.name, id, 'not_exercised', why))];
}

/** What the requests and sockets of a run say. */
function judgeWire({ scenario, wire }: ScenarioRun): readonly Observation[] {
  const { name: within, isHostile = false } = scenario;
  if (wire === undefined) return [];
  return runWireChecks(wire, { side: 'client', isHostile }).map((each) => ({ ...each, within }));
}

function notPlayed({ name, ids, over }: Scenario, transport: TransportKind): Observation[] {
  const why = whyNotOver(over, transport);
  return why === undefined ? [] : ids.map((id) => observe(name, id, 'not_exercised', why));
}

/** The requirement that a client breaks that never prompts. */
const PROMPTS: Readonly<Record<TransportKind, string>> = {
  stdio: 'R-FRM-08',
  websocket: 'R-WS-02',
  http: 'R-HTTP-22',
};

function neverPrompted(
  { events, exit, output }: ScenarioRun,
  transport: TransportKind,
): Observation {
  const begins = transport === 'stdio' ? 'start' : 'connect to';
  const what = events.includes('start') ? 'sent no prompt to' : `did not ${begins}`;
  const end = exit === undefined ? 'it was ended by the kit' : `it ${describeExit(exit)}`;
  const text = `the client ${what} the agent; ${end}`;
  return observe('a plain turn', PROMPTS[transport], 'failed', text, [output.trim().slice(-1000)]);
}
