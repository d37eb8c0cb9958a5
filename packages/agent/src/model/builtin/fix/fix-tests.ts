import type { ModelToolResult } from '../../model.ts';
import { splitInstructions } from '../instructions/split-instructions.ts';
import { planCall, type PlannedCall, type Program } from '../program.ts';
import { candidatesFor, type Candidate } from './candidates.ts';
import { changedLine } from './change-text.ts';
import { importsOf, isTestFile, type Sources } from './sources.ts';
import { testCommand } from './test-command.ts';
import { framesIn, readFailures, type Frame, type TestFailure } from './test-failure.ts';
import { tryCandidates } from './try-candidates.ts';

const PLAN = ['Run the tests', 'Find what the failing test uses', 'Try small changes', 'Report'];
const TIMEOUT_MS = 120_000;
const IMPORT_DEPTH = 3;
const FILES_MAX = 40;

const GOAL =
  /^(?:fix|repair) (?:the |all |any )?(?:failing |broken )?tests?\b|^make (?:the |all )?(?:the )?tests? pass/i;

/** Whether a prompt asks to make failing tests pass. */
export function isFixGoal(prompt: string): boolean {
  return splitInstructions(prompt).some((text) => GOAL.test(text));
}

/**
 * Makes a failing test pass by changing a single token of the source: it runs the tests, reads what the
 * failing one uses, and tries likely changes until the tests pass. Test files are never changed.
 */
export function* fixTests(): Program {
  yield { kind: 'say', text: 'I will run the tests and look at what fails.\n' };
  const [, listing, manifest] = yield {
    kind: 'call',
    calls: [
      planCall(PLAN, 0),
      { name: 'list', input: { recursive: true } },
      { name: 'read', input: { path: 'package.json' } },
    ],
  };
  const { directory, files } = toFiles(listing);
  const command = testCommand(manifest?.isError === false ? manifest.text : undefined);
  const [firstRun] = yield { kind: 'call', calls: [execute(command)] };
  if (firstRun === undefined || !hasRun(firstRun)) {
    yield { kind: 'say', text: `I could not run the tests: ${firstRun?.text ?? 'no result'}\n` };
    return;
  }
  if (!firstRun.isError) {
    yield { kind: 'call', calls: [planCall(PLAN, PLAN.length)] };
    yield { kind: 'say', text: `\`${command}\` passes already; there is nothing to fix.\n` };
    return;
  }
  const failures = readFailures(firstRun.text).map((failure) => {
    return { ...failure, frames: framesIn(failure, directory, files) };
  });
  const frames = failures.flatMap((failure) => failure.frames);
  if (frames.length === 0) {
    yield {
      kind: 'say',
      text: 'The tests fail, but their output names no file of this project.\n',
    };
    return;
  }
  yield { kind: 'say', text: failures.map(describe).join('') };
  const sources = yield* readSources(frames, files);
  const candidates = candidatesFor(failures, sources);
  yield { kind: 'call', calls: [planCall(PLAN, 2)] };
  const outcome = yield* tryCandidates(candidates, sources, command);
  yield { kind: 'call', calls: [planCall(PLAN, PLAN.length)] };
  yield { kind: 'say', text: report(outcome, sources, command) };
}

/** Reads the files that the failure names and what they import, level by level. */
function* readSources(
  frames: readonly Frame[],
  files: ReadonlySet<string>,
): Generator<{ kind: 'call'; calls: PlannedCall[] }, Sources, readonly ModelToolResult[]> {
  const sources = new Map<string, string>();
  let wanted = [...new Set(frames.map(({ path }) => path))];
  for (let depth = 0; depth < IMPORT_DEPTH && wanted.length > 0; depth += 1) {
    const plan = depth === 0 ? [planCall(PLAN, 1)] : [];
    const reads = wanted.map((path) => ({ name: 'read', input: { path } }));
    const results = yield { kind: 'call', calls: [...plan, ...reads] };
    for (const [index, path] of wanted.entries()) {
      const result = results[index + plan.length];
      if (result?.isError === false) sources.set(path, result.text);
    }
    const imported = [...sources].flatMap(([path, text]) => importsOf(path, text, files));
    wanted = [...new Set(imported)].filter((path) => !sources.has(path));
    wanted = wanted.slice(0, FILES_MAX - sources.size);
  }
  return sources;
}

function toFiles(listing: ModelToolResult | undefined): {
  directory: string;
  files: ReadonlySet<string>;
} {
  const output = listing?.output as { path?: string; entries?: readonly string[] } | undefined;
  return { directory: output?.path ?? '', files: new Set(output?.entries) };
}

function execute(command: string): PlannedCall {
  return { name: 'execute', input: { command, timeoutMs: TIMEOUT_MS } };
}

/** Whether a command has run to its end, well or not; it has not if it was refused. */
function hasRun({ output }: ModelToolResult): boolean {
  return (output as { ended?: unknown } | undefined)?.ended === 'exited';
}

function describe({ frames, expected, actual }: TestFailure): string {
  // The first place is where the test begins, the second one, if there is one, where it fails.
  const inTest = frames.filter(({ path }) => isTestFile(path));
  const at = inTest[1] ?? inTest[0] ?? frames[0];
  const where = at === undefined ? '' : ` at \`${at.path}:${at.line}\``;
  const what =
    expected === undefined || actual === undefined
      ? ''
      : `: expected \`${expected}\`, but got \`${actual}\``;
  return `A test fails${where}${what}.\n`;
}

function report(
  outcome: { fixed?: Candidate; tried: number; problem?: string },
  sources: Sources,
  command: string,
): string {
  const { fixed, tried, problem } = outcome;
  if (problem !== undefined) return `I stopped: ${problem}\n`;
  if (fixed === undefined) {
    return `I tried ${tried} small changes; with none of them do the tests pass. The files are as before.\n`;
  }
  const { oldText, newText } = changedLine(sources.get(fixed.path) ?? '', fixed.mutation);
  const place = `${fixed.path}:${fixed.mutation.token.line}`;
  const times = tried === 1 ? 'the first change' : `change number ${tried}`;
  const diff = `\`\`\`diff\n- ${oldText}\n+ ${newText}\n\`\`\``;
  return `Fixed in \`${place}\`, with ${times} that I tried:\n\n${diff}\n\n\`${command}\` passes now.\n`;
}
