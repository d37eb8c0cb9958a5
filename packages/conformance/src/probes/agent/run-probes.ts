import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observation } from '../../findings/observation.ts';
import { at } from '../../json/json.ts';
import type { KitClient } from '../../kit-client/kit-client.ts';
import { transportOf, type AgentTarget } from '../../kit-client/open-line.ts';
import { EndedError, RefusedError, SilentError } from '../../kit-client/wait-errors.ts';
import { runPassive } from '../../passive/run-passive.ts';
import type { Proof } from '../../passive/wire-message.ts';
import { quoteExchange } from '../../wire/http-exchange.ts';
import { runWireChecks } from '../../wire/run-wire-checks.ts';
import { whyNotOver } from '../played-over.ts';
import { writeTrace } from '../../trace/trace-file.ts';
import { AUTH_PROBES } from './auth.ts';
import { CANCEL_PROBES } from './cancel.ts';
import { CLOSING_PROBES } from './closing.ts';
import { HISTORY_PROBES } from './history.ts';
import { HTTP_PROBES } from './http/all.ts';
import { ID_PROBES } from './ids.ts';
import { LINE_PROBES } from './lines.ts';
import { MCP_PROBES } from './mcp.ts';
import { METHOD_PROBES } from './methods.ts';
import { MODE_PROBES } from './modes.ts';
import { DEFAULT_PROMPTS, DEFAULT_TIMEOUTS, type CheckAgentOptions } from './options.ts';
import { PARAM_PROBES } from './params.ts';
import { PERMISSION_PROBES } from './permission.ts';
import type { AgentProbe } from './probe.ts';
import { openScratch } from '../../process/scratch.ts';
import { helloParams, NotReached, ProbeRun, type Bench } from './probe-run.ts';
import { PROMPT_PROBES } from './prompts.ts';
import { SESSION_LIST_PROBES } from './session-lists.ts';
import { SESSION_PROBES } from './sessions.ts';
import { SILENCE_PROBES } from './silence.ts';
import { STEERED_PROBES } from './steered.ts';
import { VERSION_PROBES } from './versions.ts';
import { WEBSOCKET_PROBES } from './websocket-probes.ts';

/** Every probe of agents, from the handshake to the end. */
export const AGENT_PROBES: readonly AgentProbe[] = [
  ...VERSION_PROBES,
  ...LINE_PROBES,
  ...ID_PROBES,
  ...METHOD_PROBES,
  ...PARAM_PROBES,
  ...AUTH_PROBES,
  ...SESSION_PROBES,
  ...PROMPT_PROBES,
  ...CANCEL_PROBES,
  ...SILENCE_PROBES,
  ...MODE_PROBES,
  ...HISTORY_PROBES,
  ...SESSION_LIST_PROBES,
  ...MCP_PROBES,
  ...STEERED_PROBES,
  ...PERMISSION_PROBES,
  ...CLOSING_PROBES,
  ...HTTP_PROBES,
  ...WEBSOCKET_PROBES,
];

/** Runs the probes, and the passive checks over everything that was said. */
export async function runAgentProbes(options: CheckAgentOptions): Promise<readonly Observation[]> {
  const { only, concurrency = 1, onProgress } = options;
  const scratch = await openScratch();
  const bench = await createBench(options, scratch.path);
  try {
    const hello = await introduce(bench);
    if (hello.capabilities === undefined) return hello.observations;
    const { capabilities } = hello;
    const probes = AGENT_PROBES.filter((probe) => isChosen(probe, only));
    const observations: Observation[] = [];
    let done = 0;
    const work = async (queue: AgentProbe[]): Promise<void> => {
      for (let probe = queue.shift(); probe !== undefined; probe = queue.shift()) {
        observations.push(...(await runProbe(probe, bench, capabilities, options.traceDirectory)));
        onProgress?.(probe.name, ++done, probes.length);
      }
    };
    const idle = probes.filter(({ isIdle }) => isIdle === true);
    const queue = probes.filter(({ isIdle }) => isIdle !== true);
    const workers = Array.from({ length: Math.max(1, concurrency) }, () => work(queue));
    await Promise.all([work(idle), ...workers]);
    return observations;
  } finally {
    await scratch.remove();
  }
}

async function createBench(options: CheckAgentOptions, scratch: string): Promise<Bench> {
  if (options.traceDirectory !== undefined)
    await mkdir(options.traceDirectory, { recursive: true });
  return {
    target: toTarget(options),
    prompts: { ...DEFAULT_PROMPTS, ...options.prompts },
    ownPrompts: new Set(Object.keys(options.prompts ?? {})),
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    scratch,
    authenticate: options.authenticate,
    mayLogOut: options.mayLogOut ?? false,
  };
}

function toTarget({ command, endpoint, cwd, env }: CheckAgentOptions): AgentTarget {
  if (endpoint !== undefined) return { endpoint };
  return { program: { command, cwd: cwd ?? process.cwd(), env: env ?? {} } };
}

function isChosen({ name, ids }: AgentProbe, only: readonly string[] | undefined): boolean {
  return only === undefined || only.includes(name) || ids.some((id) => only.includes(id));
}

/**
 * What the agent announces. An agent that cannot even do this needs no further probes.
 *
 * @throws StartError when there is no agent.
 */
async function introduce(
  bench: Bench,
): Promise<{ capabilities?: unknown; observations: readonly Observation[] }> {
  const run = new ProbeRun('the first handshake', bench);
  try {
    const client = run.start();
    const answer = await client
      .request('initialize', helloParams({}), { timeoutMs: bench.timeouts.startMs })
      .catch((error: unknown) => {
        if (client.link.startError !== undefined) throw client.link.startError;
        return error as Error;
      });
    if (answer instanceof Error) return { observations: whyUnanswered(run, client, answer) };
    return {
      capabilities: at(answer.result, 'agentCapabilities') ?? {},
      observations: run.observations,
    };
  } finally {
    await run.close();
  }
}

/** An answer may have come that does not say what it answers; then that is what is wrong. */
function whyUnanswered(run: ProbeRun, client: KitClient, error: Error): readonly Observation[] {
  const strays = strayAnswers(run, client);
  if (strays.length === 0) {
    const text = `${error.message}; ${client.condition()}`;
    run.fail('R-INI-06', isLocked(run, error) ? `${text}; it may need credentials` : text);
  }
  const checks = { side: 'agent', isHostile: false } as const;
  const wire = run.wires.flatMap((each) => runWireChecks(each, checks));
  return [...run.observations, ...strays, ...wire];
}

/** Answers that do not say what they answer. */
function strayAnswers({ bench }: ProbeRun, { link }: KitClient): readonly Observation[] {
  const transport = transportOf(bench.target);
  const passive = runPassive(link.trace, { isHostile: true, transport });
  return passive.filter(({ id, outcome }) => id === 'R-FRM-11' && outcome === 'failed');
}

/** Whether an endpoint lets nobody in without credentials, or not with these. */
function isLocked({ wires }: ProbeRun, error: unknown): boolean {
  const status = error instanceof RefusedError ? error.status : wires[0]?.sockets[0]?.status;
  return status === 401 || status === 403;
}

async function runProbe(
  probe: AgentProbe,
  bench: Bench,
  capabilities: unknown,
  traceDirectory: string | undefined,
): Promise<readonly Observation[]> {
  const run = new ProbeRun(probe.name, bench);
  const transport = transportOf(bench.target);
  const whyNot = whyNotOver(probe.over, transport);
  if (whyNot !== undefined) {
    for (const id of probe.ids) run.notExercised(id, whyNot);
    return run.observations;
  }
  const missing = probe.missing?.(capabilities);
  if (missing !== undefined) {
    for (const id of probe.ids) run.notApplicable(id, `not announced: ${missing}`);
    return run.observations;
  }
  try {
    await probe.run(run);
    noteRest(run, probe, 'the situation did not come up');
  } catch (error) {
    blame(run, probe, error);
  } finally {
    await run.close();
  }
  const traces = run.clients.map(({ link }) => link.trace);
  const isHostile = probe.isHostile ?? false;
  if (traceDirectory !== undefined) {
    for (const [place, trace] of traces.entries()) {
      const name = `${probe.name.replace(/[^a-z0-9]+/gi, '-')}-${place + 1}.ndjson`;
      await writeTrace(join(traceDirectory, name), trace);
    }
  }
  const passive = [
    ...traces.flatMap((trace) => runPassive(trace, { isHostile, transport })),
    ...run.wires.flatMap((wire) => runWireChecks(wire, { side: 'agent', isHostile })),
  ];
  return [
    ...run.observations,
    ...passive
      .filter(({ side }) => side === 'agent')
      .map((each) => ({ ...each, within: probe.name })),
  ];
}

/** Turns the way in which a probe broke off into findings. A fault of the kit accuses nobody. */
function blame(run: ProbeRun, probe: AgentProbe, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NotReached) {
    noteRest(run, probe, message);
    return;
  }
  if (error instanceof EndedError && !run.hasReached) {
    noteRest(run, probe, `there was nobody to ask: ${message}`);
    return;
  }
  if (isRefusal(error)) {
    noteRest(run, probe, `a request did not reach the agent: ${message}`);
    return;
  }
  if (![SilentError, EndedError, RefusedError].some((kind) => error instanceof kind)) {
    noteRest(run, probe, `the probe itself failed: ${message}`);
    return;
  }
  const client = run.clients.at(-1);
  const text = client === undefined ? message : `${message}; ${client.condition()}`;
  // Then it was answered, under an id that nobody waits for, which is found by what was said.
  const isAstray =
    error instanceof SilentError && run.clients.some((each) => strayAnswers(run, each).length > 0);
  for (const id of isAstray ? [] : (probe.blame ?? [])) {
    if (!run.hasJudged(id)) run.fail(id, text, ...lastWords(run));
  }
  noteRest(run, probe, text);
}

/** What was said last: on the last connection, or by the last request that a probe made itself. */
function lastWords({ clients, wires }: ProbeRun): readonly Proof[] {
  const link = clients.at(-1)?.link;
  if (link !== undefined) return [link.lastSent, link.received.at(-1)];
  const exchange = wires.at(-1)?.exchanges.at(-1);
  return exchange === undefined ? [] : [quoteExchange(exchange)];
}

/** An endpoint may refuse what is wrong before the agent sees it; failing at it is something else. */
function isRefusal(error: unknown): boolean {
  return error instanceof RefusedError && error.status >= 400 && error.status < 500;
}

function noteRest(run: ProbeRun, { ids }: AgentProbe, text: string): void {
  for (const id of ids) {
    if (!run.hasJudged(id)) run.notExercised(id, text);
  }
}
