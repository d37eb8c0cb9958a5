import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleAgentProgram } from '../../testing/bundle-fixture.ts';
import { fixtureClient } from '../../testing/fixture.ts';
import { whyNotOver } from '../played-over.ts';
import type { CheckClientOptions } from './options.ts';
import { runScenarios } from './run-scenarios.ts';
import { CLIENT_SCENARIOS } from './scenarios.ts';

/** A fault of the fixture client, the scenario that has to find it, and the requirements it breaks. */
interface FaultCase {
  readonly fault: string;
  readonly scenario: string;
  readonly ids: readonly string[];
  readonly more?: Partial<CheckClientOptions>;
}

function found(fault: string, scenario: string, ...ids: readonly string[]): FaultCase {
  return { fault, scenario, ids };
}

function offering(what: string): Partial<CheckClientOptions> {
  return { env: { FIXTURE_OFFERS: what } };
}

const CANCEL: Partial<CheckClientOptions> = { cancelSignal: 'SIGINT', env: { FIXTURE_WAITS: '1' } };

const FAULTS: readonly FaultCase[] = [
  found('line-per-chunk', 'a plain turn', 'R-CHK-03'),
  found('leaves-agent', 'an agent that ignores the end of its input', 'R-FRM-09'),
  found('sends-garbage', 'a plain turn', 'R-FRM-05'),
  found('relative-cwd', 'a plain turn', 'R-SES-04', 'R-FRM-28'),
  found('shows-in-any-order', 'a burst of chunks and the answer in one write', 'R-FRM-27'),
  found('dies-on-strangers', 'updates before the session is known', 'R-SES-12'),
  found('dies-on-late-updates', 'updates when no turn runs', 'R-PRM-10'),
  found('dies-on-floods', 'a flood of updates', 'R-FRM-26'),
  found('hangs-on-errors', 'an error as answer to the prompt', 'R-PRM-16'),
  found('hangs-on-errors', 'a login error as answer to the prompt', 'R-AUT-11'),
  found('hangs-on-errors', 'an unknown stop reason', 'R-PRM-16'),
  found('hangs-on-errors', 'an agent that dies in the middle of a line', 'R-PRM-16'),
  found('hangs-on-errors', 'a refusal', 'R-PRM-16'),
  { ...found('cancel-as-request', 'a turn that is cancelled', 'R-CAN-01'), more: CANCEL },
  { ...found('ignores-cancel', 'a turn that is cancelled', 'R-CAN-03', 'R-PER-06'), more: CANCEL },
  found('any-version', 'a version that the client does not support', 'R-INI-09'),
  found('dies-on-capabilities', 'an agent that announces everything', 'R-INI-12'),
  found('never-logs-in', 'a session that needs a login', 'R-AUT-06'),
  found('terminal-login', 'a session that needs a login', 'R-AUT-03'),
  found('dies-on-garbage', 'lines that are no messages', 'R-FRM-17'),
  found('dies-on-odd-json', 'lines that are no messages', 'R-FRM-17'),
  found('decodes-chunks', 'messages in slices of one byte', 'R-FRM-02'),
  found('small-lines', 'messages of 1 MiB and 8 MiB', 'R-FRM-31'),
  found('ids-as-strings', 'unusual request ids', 'R-FRM-11'),
  found('rounds-ids', 'a request id above 2^53', 'R-FRM-11'),
  found('any-method', 'methods and notifications that are unknown', 'R-FRM-20', 'R-EXT-05'),
  found('ignores-unknown-requests', 'methods and notifications that are unknown', 'R-FRM-20'),
  found('answers-notifications', 'methods and notifications that are unknown', 'R-FRM-13'),
  found('dies-on-unknown-notifications', 'methods and notifications that are unknown', 'R-FRM-21'),
  found('no-validation', 'params that do not fit', 'R-ERR-04'),
  found('never-reads-stderr', 'stderr of 1 MiB before the first answer', 'R-FRM-07'),
  found('one-id-space', 'one id in both directions', 'R-FRM-15'),
  found('dies-on-stray-answers', 'answers that nobody asked for', 'R-CRQ-07'),
  found('strict-members', 'members that the schema does not know', 'R-FRM-23'),
  found('answers-kinds', 'permission with unusual options', 'R-PER-04'),
  found('no-permission', 'permission with unusual options', 'R-INI-14'),
  found('chooses-nothing', 'permission without options', 'R-PER-12', 'R-PER-04'),
  found('one-dialog', 'two permission requests at once', 'R-PER-11'),
  found('cancel-is-internal-error', 'a permission request that is cancelled', 'R-CRQ-03'),
  found('strict-updates', 'an update of an unknown kind', 'R-CHK-12'),
  found('strict-updates', 'updates that do not fit', 'R-FRM-25'),
  found('strict-updates', 'tool calls of unknown kind and status', 'R-TOOL-06'),
  found('strict-updates', 'blocks that no prompt may hold', 'R-CNT-04'),
  found('strict-updates', 'unusual use of context', 'R-USG-05'),
  found('strict-updates', 'notices of every severity', 'R-NOT-04'),
  found('strict-updates', 'compaction that goes its own way', 'R-CMP-05'),
  found('strict-updates', 'unusual message ids', 'R-CHK-07'),
  found('strict-updates', 'an echo of the prompt', 'R-CHK-10'),
  found('strict-updates', 'a mode that changes by itself', 'R-MOD-07'),
  found('strict-options', 'options of unknown type and category', 'R-CFG-07'),
  found('drops-after-thoughts', 'thoughts between the words', 'R-CHK-13'),
  found('changes-newlines', 'reading files', 'R-FS-03'),
  found('counts-from-0', 'reading files', 'R-FS-04'),
  found('empty-for-missing', 'reading files', 'R-FS-08'),
  found('any-session', 'reading files', 'R-FS-11'),
  found('writes-nothing', 'writing files', 'R-FS-05', 'R-FS-06'),
  found('appends', 'writing files', 'R-FS-06'),
  found('null-result', 'writing files', 'R-FS-07'),
  found('no-roots', 'files outside of the session', 'R-DIR-07', 'R-FS-09'),
  found('splits-arguments', 'commands in terminals', 'R-TRM-04'),
  found('waits-in-create', 'commands in terminals', 'R-TRM-03'),
  found('no-exit-status', 'commands in terminals', 'R-TRM-06'),
  found('keeps-head', 'commands in terminals', 'R-TRM-07'),
  found('signal-as-code', 'commands in terminals', 'R-TRM-08'),
  found('one-waiter', 'commands in terminals', 'R-TRM-09'),
  found('output-waits', 'commands in terminals', 'R-TRM-06'),
  found('kill-does-nothing', 'commands in terminals', 'R-TRM-10'),
  found('kill-removes', 'commands in terminals', 'R-TRM-10'),
  found('keeps-released', 'commands in terminals', 'R-TRM-11'),
  found('any-terminal', 'commands in terminals', 'R-TRM-16'),
  { ...found('serves-everything', 'commands in terminals', 'R-FRM-20'), more: offering('nothing') },
  found('cancels-elicitations', 'elicitation that was not announced', 'R-ELI-03'),
  { ...found('odd-action', 'forms of every sort', 'R-ELI-07'), more: offering('forms') },
  { ...found('strict-formats', 'forms of every sort', 'R-ELI-25'), more: offering('forms') },
  found('trims-prompts', 'a command of the agent', 'R-CMD-04'),
  {
    ...found('previews-pages', 'a page that the user is asked to open', 'R-ELI-18'),
    more: offering('pages'),
  },
];

let directory: string;
let agentProgram: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-bundles-'));
  agentProgram = await bundleAgentProgram(directory);
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('a client with one fault', () => {
  test.concurrent.each(FAULTS)(
    '$fault is found by: $scenario',
    async ({ fault, scenario, ids, more }) => {
      const observations = await runScenarios({
        ...fixtureClient(fault),
        agentProgram,
        ...more,
        only: [scenario],
      });
      const accused = observations.filter(({ outcome }) => /failed|warned/.test(outcome));
      expect(accused.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
    },
  );
});

test('every scenario that is played on stdio is shown a fault that it finds', () => {
  const shown = new Set(FAULTS.map(({ scenario }) => scenario));
  const local = CLIENT_SCENARIOS.filter(({ over }) => whyNotOver(over, 'stdio') === undefined);
  const names = local.map(({ name }) => name);
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
  expect([...shown].filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
