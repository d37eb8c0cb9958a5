import type { ModelToolResult } from '../../model.ts';
import type { PlannedCall } from '../program.ts';
import type { Candidate } from './candidates.ts';
import { toExactEdit } from './change-text.ts';
import type { Sources } from './sources.ts';

/** How trying ended. */
export interface TryOutcome {
  /** The change with which the tests pass; it is in the file. */
  readonly fixed?: Candidate;
  readonly tried: number;
  /** Why it was given up before everything was tried. */
  readonly problem?: string;
}

/** How many changes are tried. Every one is an answer of the model, which are limited too. */
const TRIES_MAX = 36;
/** A wrong change may loop for ever. */
const TIMEOUT_MS = 20_000;

type Calls = { kind: 'call'; calls: PlannedCall[] };

/**
 * Makes one change after the other and runs the tests each time. A change that does not help is taken
 * back before the next one.
 */
export function* tryCandidates(
  candidates: readonly Candidate[],
  sources: Sources,
  command: string,
): Generator<Calls, TryOutcome, readonly ModelToolResult[]> {
  const test = { name: 'execute', input: { command, timeoutMs: TIMEOUT_MS } };
  let undo: PlannedCall[] = [];
  let tried = 0;
  for (const candidate of candidates.slice(0, TRIES_MAX)) {
    const { change, takeBack } = edits(candidate, sources);
    // Until somebody has approved a change it is not known whether there will be anything to test.
    const first = tried === 0 ? yield { kind: 'call', calls: [change] } : [];
    if (first.some(({ isError }) => isError)) return { tried, problem: first[0]?.text ?? '' };
    const calls = tried === 0 ? [test] : [...undo, change, test];
    const results = yield { kind: 'call', calls };
    tried += 1;
    const failedEdit = results.find(({ name, isError }) => name === 'edit' && isError);
    if (failedEdit !== undefined) return { tried, problem: failedEdit.text };
    const run = results.at(-1);
    if (run?.isError === false) return { tried, fixed: candidate };
    undo = [takeBack];
    if (run?.output === undefined) {
      // Not run at all, so nothing can be found out.
      yield { kind: 'call', calls: undo };
      return { tried, problem: run?.text ?? 'the tests were not run' };
    }
  }
  if (undo.length > 0) yield { kind: 'call', calls: undo };
  return { tried };
}

function edits(
  { path, mutation }: Candidate,
  sources: Sources,
): { change: PlannedCall; takeBack: PlannedCall } {
  const { oldText, newText } = toExactEdit(sources.get(path) ?? '', mutation);
  return {
    change: { name: 'edit', input: { path, oldText, newText } },
    takeBack: { name: 'edit', input: { path, oldText: newText, newText: oldText } },
  };
}
