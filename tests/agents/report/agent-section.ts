import { SCENARIO_NAMES } from '../scenario-names.ts';
import type { AgentResult, Outcome } from '../outcome.ts';
import type { KnownAgent } from '@signalbox/host';
import type { ReportedAgent } from './page.ts';

/** The section on one agent: how it is started, what came of the scenarios, its quirks. */
export function toAgentSection({ name, known, results }: ReportedAgent): string {
  const title = known?.title ?? 'The example agent of the official library.';
  return [
    `## ${name}\n`,
    `${title}${title.endsWith('.') ? '' : '.'}\n`,
    ...(known === undefined ? [] : [toFacts(known)]),
    results.length === 0 ? 'Not tested here.\n' : results.map(toNotes).join('\n'),
    ...(known === undefined ? [] : [toQuirks(known)]),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function toFacts(agent: KnownAgent): string {
  const { command, needs, configFiles, passEnv, install, protocolVersions } = agent;
  const facts = [
    ['Command', code(command.join(' '))],
    ['Install', code(install)],
    ['Needs', needs],
    ['Its own settings', configFiles.map(code).join(', ')],
    ['Variables that it gets', passEnv.map(code).join(', ')],
    ['Protocol versions', protocolVersions.join(', ')],
  ];
  return facts.map(([name, value]) => `- ${name}: ${value}\n`).join('');
}

function toNotes(result: AgentResult): string {
  const notes = SCENARIO_NAMES.flatMap((name) => {
    const text = noteOf(result.outcomes[name]);
    return text === undefined ? [] : [`- ${name}: ${text}\n`];
  });
  const packages = result.packages.map(code).join(', ');
  return `Tested with ${packages}:\n\n${notes.join('')}`;
}

function noteOf(outcome: Outcome | undefined): string | undefined {
  switch (outcome?.kind) {
    case undefined:
      return undefined;
    case 'passed':
      return outcome.note;
    case 'failed':
      return `failed: ${plain(outcome.evidence)}`;
    case 'not applicable':
      return `does not apply: ${plain(outcome.why)}`;
    case 'not run':
      return `not run: ${plain(outcome.why)}`;
  }
}

function toQuirks({ quirks }: KnownAgent): string {
  if (quirks.length === 0) return '';
  const lines = quirks.map(({ name, agent, host }) => `- \`${name}\` ${agent} The host: ${host}\n`);
  return `Quirks:\n\n${lines.join('')}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Text of an agent, which must not become markup. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_<>[\]|]/g, '\\$&');
}
