import type { Observation } from '../../findings/observation.ts';
import { describeExit } from '../../process/child.ts';
import { observe, type ScenarioRun } from './scenario-run.ts';

/** What it means that a client does not come far where only the other transport is offered. */
export function judgeOther(
  { scenario, events, exit, output }: ScenarioRun,
  command: readonly string[],
): readonly Observation[] {
  const { name, endpoint } = scenario;
  if (endpoint?.offersOther !== true || events.includes('prompted')) return [];
  const end = exit === undefined ? 'goes on running' : describeExit(exit);
  const evidence = [output.trim().slice(-600)];
  const text = `no prompt comes over the other transport; the client ${end}`;
  if (command.some((part) => part.includes('{transport}'))) {
    return [observe(name, 'R-HTTP-02', 'failed', text, evidence)];
  }
  // The command may have said which transport to use, and then the client just did as it was told.
  const doubt = `${text}. With {transport} in its command it can be told which one to use`;
  return [observe(name, 'R-HTTP-02', 'warned', doubt, evidence)];
}
