import type { CheckAgentOptions } from './probes/agent/options.ts';
import { shownUrl } from './remote/endpoint.ts';
import { runAgentProbes } from './probes/agent/run-probes.ts';
import { createReport } from './report/create-report.ts';
import type { Report } from './report/report.ts';

/**
 * Checks an agent: connects to it again and again, says legal and illegal things to it, and weighs what it
 * does. It may change files only in directories that the check makes for it.
 *
 * @throws StartError when the program cannot be started, so that there is nothing to check.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<Report> {
  const startedAt = new Date();
  const started = performance.now();
  const observations = await runAgentProbes(options);
  return createReport({
    side: 'agent',
    target: options.endpoint ? shownUrl(options.endpoint) : options.command.join(' '),
    transport: options.endpoint?.transport ?? 'stdio',
    startedAt,
    durationMs: Math.round(performance.now() - started),
    observations,
    ...(options.knownFailures === undefined ? {} : { knownFailures: options.knownFailures }),
    isStrict: options.isStrict ?? false,
  });
}
