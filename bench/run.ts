/**
 * Runs benchmarks: `node bench/run.ts [name...] [--quick] [--rounds=7]`. Without names all are run.
 * The built packages are measured, so build first (`npm run bench` does).
 *
 * To add a benchmark, add a file to `bench/cases/`: its name is the benchmark's name, and its default
 * export is a `BenchCase`, a list of contestants that do the same work. Give each a `role`: `ours`, `sdk`
 * (what ratios are taken of, at most one), `limit` or `other`. Every contestant runs in a process of its
 * own. Programs that it starts belong in `bench/fixtures/`; `harness/helper-process.ts` and
 * `harness/service.ts` start them and measure their CPU time. Keep a case under 30 s (`count.full`) and 6 s
 * (`count.quick`). What a contestant promises is judged: a run that shows something else ends with 1.
 */
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BenchCase } from './harness/bench-case.ts';
import { describeMachine } from './harness/machine.ts';
import { brokenPromises } from './harness/promises.ts';
import { toText, writeResults, type CaseResult } from './harness/report.ts';
import { runCase, type Extent } from './harness/rounds.ts';

const CASES = new URL('cases/', import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const known = readdirSync(CASES)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(2);
}

const extent: Extent = {
  quick: values.quick,
  rounds: Number(values.rounds ?? (values.quick ? 3 : 5)),
};
const started = performance.now();
const broken: string[] = [];
for (const name of positionals.length > 0 ? positionals : known) {
  const result = await measure(name);
  console.log(`${toText(name, result)}\n`);
  await writeResults({ [name]: result });
}
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${seconds} s. Results are in bench/results.`);
if (broken.length > 0) {
  console.error(`Not as promised:\n${broken.join('\n')}`);
  process.exitCode = 1;
}

async function measure(name: string): Promise<CaseResult> {
  const url = new URL(`${name}.ts`, CASES).href;
  const { default: benchCase } = (await import(url)) as { default: BenchCase };
  const machine = describeMachine();
  const rounds = Math.min(extent.rounds, benchCase.rounds ?? Infinity);
  const contestants = await runCase(benchCase, url, { ...extent, rounds });
  broken.push(...brokenPromises(benchCase, contestants).map((what) => `${name}: ${what}`));
  const { title, unit } = benchCase;
  const date = new Date().toISOString().slice(0, 10);
  return { title, unit, date, ...extent, rounds, machine, contestants };
}
