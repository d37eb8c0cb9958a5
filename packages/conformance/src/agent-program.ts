/**
 * The scripted agent as a program: `node agent-program.js --scenario <name> --report <file>`. A client
 * under test starts it as its agent. It exits when its input ends, as an agent should.
 */
import { findScenario } from './probes/client/scenarios.ts';
import { ScriptedAgent } from './probes/client/scripted-agent.ts';

const DEFAULT_ANSWER_MS = 5000;

const scenario = findScenario(argument('--scenario') ?? '');
const report = argument('--report');
if (scenario === undefined || report === undefined) {
  process.stderr.write('usage: agent-program --scenario <name> --report <file>\n');
  process.exitCode = 2;
} else {
  const answerMs = Number(argument('--answer-ms') ?? DEFAULT_ANSWER_MS);
  new ScriptedAgent(scenario, report, answerMs);
  process.stdin.on('end', () => {
    if (scenario.ignoresEof === true) setInterval(() => undefined, 1000);
    // What the end means for the scenario is written down before.
    else setImmediate(() => process.exit(0));
  });
}

function argument(name: string): string | undefined {
  const place = process.argv.indexOf(name);
  return place < 0 ? undefined : process.argv[place + 1];
}
