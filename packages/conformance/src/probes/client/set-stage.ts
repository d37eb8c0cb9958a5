import { appendFileSync } from 'node:fs';
import { programPath } from '../../process/program-path.ts';
import type { RemoteKind, TransportKind } from '../../transport-kind.ts';
import { ScenarioEndpoint } from './endpoint/scenario-endpoint.ts';
import type { CheckClientOptions, ClientTimeouts } from './options.ts';
import type { Scenario } from './scenario.ts';

/** Where a client finds the scripted agent of one scenario. */
export interface Stage {
  /** The command line of the agent; empty where it is not started. */
  readonly agent: readonly string[];
  /** The address of the agent; empty where it is started. */
  readonly url: string;
  readonly transport: TransportKind;
  /** The endpoint, which has to be closed. */
  readonly endpoint?: ScenarioEndpoint;
}

const OTHER: Readonly<Record<RemoteKind, RemoteKind>> = { websocket: 'http', http: 'websocket' };

/** Makes an agent ready for a client, which reports to this file. */
export async function setStage(
  scenario: Scenario,
  report: string,
  options: CheckClientOptions & { readonly timeouts: ClientTimeouts },
): Promise<Stage> {
  const { transport = 'stdio', timeouts, agentProgram } = options;
  const { answerMs } = timeouts;
  if (transport === 'stdio') {
    const agent = [
      process.execPath,
      agentProgram ?? programPath('agent-program'),
      ...['--scenario', scenario.name, '--report', report, '--answer-ms', String(answerMs)],
    ];
    return { agent, url: '', transport };
  }
  const offered = scenario.endpoint?.offersOther === true ? OTHER[transport] : transport;
  const endpoint = await ScenarioEndpoint.open({
    scenario,
    transport: offered,
    answerMs,
    report: (line) => appendFileSync(report, `${line}\n`),
  });
  return { agent: [], url: endpoint.url, transport: offered, endpoint };
}
