import type { CheckClientOptions } from './probes/client/options.ts';
import { runScenarios } from './probes/client/run-scenarios.ts';
import { createReport } from './report/create-report.ts';
import type { Report } from './report/report.ts';

/**
 * Checks a client: starts it once for each scenario with a scripted agent, which it starts itself or reaches
 * at an endpoint of the kit, and weighs what it does. Each run gets a directory of its own as its working directory.
 */
export async function checkClient(options: CheckClientOptions): Promise<Report> {
  const startedAt = new Date();
  const started = performance.now();
  const observations = await runScenarios(options);
  return createReport({
    side: 'client',
    target: options.command.join(' '),
    transport: options.transport ?? 'stdio',
    startedAt,
    durationMs: Math.round(performance.now() - started),
    observations,
    ...(options.knownFailures === undefined ? {} : { knownFailures: options.knownFailures }),
    isStrict: options.isStrict ?? false,
  });
}
