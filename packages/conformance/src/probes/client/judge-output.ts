import type { Observation } from '../../findings/observation.ts';
import { parseJson } from '../../json/json.ts';
import { describeExit } from '../../process/child.ts';
import { observe, type ScenarioRun } from './scenario-run.ts';

/** What can be said from the client's output and its end. */
export function judgeOutput(run: ScenarioRun, baseline: ScenarioRun): readonly Observation[] {
  return [
    ...judgeShown(run, baseline),
    ...judgeEnd(run, baseline),
    ...judgeCrash(run, baseline),
    ...judgeLeftovers(run),
  ];
}

/** Texts of the agent in the output, for clients that print them. */
function judgeShown(
  { scenario, output, exit }: ScenarioRun,
  baseline: ScenarioRun,
): readonly Observation[] {
  const { shown, name } = scenario;
  if (shown === undefined) return [];
  const { id, texts } = shown;
  if (!printsText(baseline)) {
    return [observe(name, id, 'not_exercised', 'the client does not print what the agent says')];
  }
  let from = 0;
  for (const text of texts) {
    const place = output.indexOf(text, from);
    if (place >= 0) {
      from = place + text.length;
      continue;
    }
    if (exit === undefined && baseline.exit !== undefined) {
      return [observe(name, id, 'not_exercised', 'the client was ended before it had shown all')];
    }
    // Output that is made of events carries the pieces apart, which is right for it.
    if (isEvents(output))
      return [observe(name, id, 'not_exercised', 'the output is a list of events')];
    const what = `${text} does not show in the output where it should`;
    return [observe(name, id, 'failed', what, [output.slice(-600)])];
  }
  return [observe(name, id, 'passed', `${texts.length} texts show in the output in order`)];
}

/** A client prints the agent's text if it printed the beginning of the first one. */
function printsText({ output }: ScenarioRun): boolean {
  return output.includes('kit-ma');
}

function isEvents(output: string): boolean {
  return output.split('\n').some((line) => line.startsWith('{') && parseJson(line) !== undefined);
}

function judgeEnd(
  { scenario, exit, events }: ScenarioRun,
  baseline: ScenarioRun,
): readonly Observation[] {
  const { endsBy, name } = scenario;
  if (endsBy === undefined || !events.includes('prompted')) return [];
  if (exit !== undefined)
    return [observe(name, endsBy, 'passed', `the client ${describeExit(exit)}`)];
  // A client for many turns stays, and then only its answers can show that it noticed.
  if (baseline.exit === undefined) {
    return [observe(name, endsBy, 'not_exercised', 'the client goes on running')];
  }
  const text = 'the client goes on running, though it ends after a plain turn';
  return [observe(name, endsBy, 'failed', text)];
}

/** A client that does not come as far as usual, or ends in another way than usual. */
function judgeCrash(run: ScenarioRun, baseline: ScenarioRun): readonly Observation[] {
  const { scenario, exit, events, judgements, output } = run;
  const { name, ids, blame = ids.slice(0, 1), mayFail, endsBy } = scenario;
  if (mayFail === true || endsBy !== undefined) return [];
  const tail = [output.trim().slice(-600)];
  if (!events.includes('prompted')) {
    const end = exit === undefined ? 'goes on running' : describeExit(exit);
    return blame.map((id) =>
      observe(name, id, 'failed', `no prompt comes; the client ${end}`, tail),
    );
  }
  const isSame = exit?.code === baseline.exit?.code && exit?.signal === baseline.exit?.signal;
  if (isSame || exit === undefined || baseline.exit === undefined) return [];
  const text = `the client ${describeExit(exit)}; after a plain turn it ${describeExit(baseline.exit)}`;
  return blame
    .filter((id) => !judgements.some((each) => each.id === id && each.outcome === 'failed'))
    .map((id) => observe(name, id, 'warned', text, tail));
}

/** The end of input ends most agents; one that ignores it has to be ended by the client. */
function judgeLeftovers({ scenario, exit, isAgentLeft }: ScenarioRun): readonly Observation[] {
  if (exit === undefined) return [];
  const { name } = scenario;
  return [
    isAgentLeft
      ? observe(name, 'R-FRM-09', 'failed', 'the agent is left behind after the client ended')
      : observe(name, 'R-FRM-09', 'passed', 'the agent ends with the client'),
  ];
}
