/**
 * The scripted agent as a program: `node agent-program.js --scenario <name> --report <file>`. A client
 * under test starts it as its agent. It exits when its input ends, as an agent should.
 */
import { appendFileSync } from 'node:fs';
import { findScenario } from './probes/client/scenarios.ts';
import { ScriptedAgent } from './probes/client/scripted-agent.ts';
import type { ScriptedPort } from './probes/client/scripted-port.ts';

const DEFAULT_ANSWER_MS = 5000;

const scenario = findScenario(argument('--scenario') ?? '');
const report = argument('--report');
if (scenario === undefined || report === undefined) {
  process.stderr.write('usage: agent-program --scenario <name> --report <file>\n');
  process.exitCode = 2;
} else {
  const answerMs = Number(argument('--answer-ms') ?? DEFAULT_ANSWER_MS);
  const agent = new ScriptedAgent(scenario, portTo(report), answerMs);
  process.stdin.on('data', (chunk: Buffer) => agent.receive(chunk));
  process.stdin.on('end', () => {
    agent.end();
    if (scenario.ignoresEof === true) setInterval(() => undefined, 1000);
    // What the end means for the scenario is written down before.
    else setImmediate(() => process.exit(0));
  });
}

/** The process's own pipes, and the file for the report. */
function portTo(path: string): ScriptedPort {
  // Writing to a client that has gone is expected in some scenarios.
  process.stdout.on('error', () => undefined);
  return {
    transport: 'stdio',
    write: (bytes) => new Promise((resolve) => process.stdout.write(bytes, () => resolve())),
    report: (line) => appendFileSync(path, `${line}\n`),
  };
}

function argument(name: string): string | undefined {
  const place = process.argv.indexOf(name);
  return place < 0 ? undefined : process.argv[place + 1];
}
