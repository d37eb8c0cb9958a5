import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Machine } from './machine.ts';
import type { ContestantResult } from './rounds.ts';

/** The result of one case. */
export interface CaseResult {
  readonly title: string;
  readonly unit: string;
  readonly date: string;
  readonly quick: boolean;
  readonly rounds: number;
  readonly machine: Machine;
  readonly contestants: readonly ContestantResult[];
}

/** All results, by the name of the case. */
export type Results = Record<string, CaseResult>;

const FOLDER = new URL('../results/', import.meta.url);

/** Replaces the results of the cases that were run; those of others are kept. */
export async function writeResults(results: Results): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const all = { ...(await readResults()), ...results };
  await writeFile(new URL('latest.json', FOLDER), `${JSON.stringify(all, null, 2)}\n`);
  await writeFile(new URL('README.md', FOLDER), toMarkdown(all));
}

/** One case as text for a terminal. */
export function toText(name: string, { title, unit, contestants }: CaseResult): string {
  const lines = contestants.map(({ name: who, wallUs, cpuUs, timesWall, timesCpu, figures }) => {
    const numbers = `${format(wallUs)} us wall  ${format(cpuUs)} us cpu per ${unit}`;
    return `  ${who.padEnd(34)} ${numbers}  ${times(timesWall)} wall  ${times(timesCpu)} cpu  ${figuresText(figures)}`;
  });
  return [`${name}: ${title}`, ...lines].join('\n');
}

async function readResults(): Promise<Results> {
  try {
    return JSON.parse(await readFile(new URL('latest.json', FOLDER), 'utf8')) as Results;
  } catch {
    return {};
  }
}

function toMarkdown(results: Results): string {
  const names = Object.keys(results).sort();
  const parts = names.map((name) => section(name, results[name] as CaseResult));
  return `${INTRODUCTION}\n${parts.join('\n')}`;
}

const INTRODUCTION = `# Benchmark results

Written by \`node bench/run.ts\`; do not edit. Numbers are medians of interleaved rounds. CPU is the time of
all processes that took part, per unit of work; it is the steadier figure on a machine that does other
things too. "x SDK" says how many times less than the official SDK it took, as the median of the ratios
of each round. A limit is plain code with no protocol in it, which shows what the machine needs for the
same bytes; those with JSON encode and decode every message in full.

The peer of this repository decodes of successive pieces of one text only what differs, which is why a
stream of text chunks can cost less than JSON does. \`stdio-two-sessions\` alternates between two sessions,
where that does not apply: it shows the way that any other message takes.

\`door-*\`, \`fanout-*\`, \`attach-*\` and \`idle-*\` run a whole host behind its server. There every update is
in the log on disk before it is sent to anybody; the official SDK's relay beside it keeps nothing.
`;

function section(name: string, result: CaseResult): string {
  const { title, unit, date, quick, rounds, machine, contestants } = result;
  const rows = contestants.map(
    ({ name: who, role, wallUs, cpuUs, timesWall, timesCpu, figures }) => {
      const rate = Math.round(1e6 / wallUs).toLocaleString('en-US');
      const more = figuresText(figures);
      const cells = [who, role, rate, format(cpuUs), times(timesWall), times(timesCpu), more];
      return `| ${cells.join(' | ')} |`;
    },
  );
  return `## ${name}: ${title}

| what | role | ${unit}s/s | CPU us/${unit} | x SDK wall | x SDK CPU | |
| --- | --- | ---: | ---: | ---: | ---: | --- |
${rows.join('\n')}

${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.platform}, load ${machine.load} at the start;
${rounds} rounds${quick ? ' (quick: too short to publish)' : ''}, ${date}.
`;
}

function figuresText(figures: Readonly<Record<string, number>> | undefined): string {
  return Object.entries(figures ?? {})
    .map(([name, value]) => `${name} ${format(value)}`)
    .join(', ');
}

function format(us: number): string {
  return us.toFixed(us < 10 ? 2 : 1);
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${ratio.toFixed(1)}x`;
}
