import type { BenchCase, Sample } from './bench-case.ts';

/** The program of a contestant's process: prepares it, and runs it when asked over IPC. */
const [caseUrl = '', index = ''] = process.argv.slice(2);
const { default: benchCase } = (await import(caseUrl)) as { default: BenchCase };
const contestant = benchCase.contestants[Number(index)];
if (contestant === undefined) throw new Error(`no contestant ${index} in ${caseUrl}`);
const runner = await contestant.prepare();

process.on('message', (count: number) => {
  void measure(count).then((sample) => process.send?.(sample));
});
process.on('disconnect', () => {
  void Promise.resolve(runner.dispose?.()).then(() => process.exit());
});
process.send?.('ready');

async function measure(count: number): Promise<Sample> {
  const cpuBefore = process.cpuUsage();
  const wallBefore = performance.now();
  const cpuMsElsewhere = await runner.run(count);
  const wallMs = performance.now() - wallBefore;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuUs = user + system + cpuMsElsewhere * 1000;
  const figures = runner.figures?.();
  const sample = { wallUs: (wallMs * 1000) / count, cpuUs: cpuUs / count };
  return figures === undefined ? sample : { ...sample, figures };
}
