import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureAgent } from '../../testing/fixture.ts';
import { whyNotOver } from '../played-over.ts';
import type { CheckAgentOptions } from './options.ts';
import { AGENT_PROBES, runAgentProbes } from './run-probes.ts';

/** A fault of the fixture agent, the probe that has to find it, and the requirements it breaks. */
interface FaultCase {
  readonly fault: string;
  readonly probe: string;
  readonly ids: readonly string[];
  readonly more?: Partial<CheckAgentOptions>;
}

function found(fault: string, probe: string, ...ids: readonly string[]): FaultCase {
  return { fault, probe, ids };
}

const LOGIN: Partial<CheckAgentOptions> = { authenticate: 'kit', mayLogOut: true };
const SHORT: Partial<CheckAgentOptions> = {
  timeouts: { startMs: 8000, answerMs: 700, turnMs: 1500, exitMs: 700, promptMs: 500 },
};

const FAULTS: readonly FaultCase[] = [
  found('no-version', 'initialize with version 1', 'R-INI-06', 'R-INI-07'),
  found('version-2', 'initialize with version 1', 'R-INI-07'),
  found('echoes-version', 'initialize with versions that do not exist', 'R-INI-08'),
  found('any-version', 'initialize without a usable version', 'R-ERR-04'),
  found('dies-on-bad-version', 'initialize without a usable version', 'R-ERR-05'),
  found('early-sessions', 'requests before initialize', 'R-INI-02'),
  found('dies-on-second-initialize', 'a second initialize', 'R-INI-19'),
  found(
    'strict-handshake',
    'capabilities that are unknown or malformed',
    'R-INI-16',
    'R-FRM-23',
    'R-FRM-24',
    'R-EXT-02',
  ),
  found('needs-fs', 'every set of client capabilities', 'R-INI-12'),
  found('decodes-chunks', 'a message in slices of one byte', 'R-FRM-01'),
  { ...found('chunk-is-message', 'a message in slices of one byte', 'R-FRM-02'), more: SHORT },
  { ...found('chunk-is-message', 'two messages in one write', 'R-FRM-02'), more: SHORT },
  found('dies-on-1-mib', 'a message of 1 MiB', 'R-FRM-02'),
  found('dies-on-8-mib', 'a message of 8 MiB', 'R-FRM-31'),
  found('dies-on-garbage', 'lines that are no JSON', 'R-FRM-17', 'R-ERR-05'),
  found('silent-refusals', 'lines that are no JSON', 'R-FRM-17'),
  found('silent-refusals', 'JSON that is no message', 'R-FRM-18'),
  found('null-errors', 'opening a session', 'R-FRM-12'),
  found('dies-on-garbage', 'bytes that are no UTF-8', 'R-FRM-17'),
  found('dies-on-odd-json', 'JSON that is no message', 'R-FRM-18'),
  found('answers-answers', 'JSON that is no message', 'R-FRM-18'),
  found('serves-any-version', 'a message of another JSON-RPC version', 'R-FRM-18'),
  found('serves-batch', 'a batch', 'R-FRM-19'),
  found('dies-on-batch', 'a batch', 'R-FRM-18'),
  { ...found('ids-as-numbers', 'unusual request ids', 'R-FRM-11'), more: SHORT },
  found('answers-twice', 'opening a session', 'R-FRM-12'),
  found('rounds-ids', 'a request id above 2^53', 'R-FRM-11'),
  found('dies-on-null-id', 'a request whose id is null', 'R-FRM-14'),
  found('any-method', 'methods that do not exist', 'R-FRM-20', 'R-EXT-05'),
  found('serves-unannounced', 'methods that were not announced', 'R-FRM-20'),
  found('answers-notifications', 'notifications that are unknown or malformed', 'R-FRM-13'),
  found('answers-again', 'a late $/cancel_request', 'R-CRQ-05'),
  found('needs-params', 'a request without params', 'R-FRM-22'),
  found('no-validation', 'params that do not fit', 'R-ERR-04'),
  found('strict-null', 'lists of MCP servers that do not fit', 'R-FRM-25'),
  found('strict-members', 'members that the schema does not know', 'R-FRM-23', 'R-EXT-02'),
  found('strict-prompt', 'a prompt with members that the schema does not know', 'R-FRM-23'),
  found('echoes-params', 'secrets in params that do not fit', 'R-ERR-07'),
  found(
    'terminal-login',
    'terminal logins are listed only for clients that have terminals for them',
    'R-AUT-02',
  ),
  found('any-login', 'a login method that does not exist', 'R-AUT-07'),
  { ...found('login-does-nothing', 'logging in', 'R-AUT-04'), more: LOGIN },
  { ...found('logout-does-nothing', 'logging out', 'R-AUT-09'), more: LOGIN },
  found('one-session-id', 'opening a session', 'R-SES-02'),
  found('any-cwd', 'directories that are not absolute', 'R-SES-05'),
  found('any-session', 'sessions that do not exist', 'R-SES-13'),
  found('ignores-http', 'MCP servers over a transport that was not announced', 'R-MCP-09'),
  found('any-directories', 'additional directories that do not fit', 'R-DIR-03'),
  found('wrong-session', 'a cwd of one session does not show in another', 'R-SES-09', 'R-CHK-02'),
  found('no-stop-reason', 'a prompt of text', 'R-PRM-05'),
  found('no-links', 'a prompt with a link to a file', 'R-PRM-03'),
  found('dies-on-blocks', 'blocks that were not announced', 'R-PRM-04'),
  found('refuses-images', 'blocks that were announced', 'R-INI-15'),
  found('dies-on-empty-prompt', 'an empty prompt', 'R-PRM-17'),
  {
    ...found('loses-second-prompt', 'a second prompt while one is pending', 'R-PRM-13'),
    more: SHORT,
  },
  found('forgets', 'a second turn knows of the first', 'R-PRM-11'),
  { ...found('ignores-cancel', 'cancelling a running turn, twice', 'R-CAN-05'), more: SHORT },
  found('cancel-is-end', 'cancelling a running turn, twice', 'R-CAN-05'),
  found('cancel-is-end', 'cancelling while permission is asked', 'R-CAN-05'),
  { ...found('loses-next-turn', 'cancelling a running turn, twice', 'R-CAN-12'), more: SHORT },
  found('mixes-sessions', 'a cwd of one session does not show in another', 'R-SES-09'),
  found('talks-on', 'the silence behind a turn', 'R-PRM-09'),
  found('talks-on', 'the silence behind a cancelled turn', 'R-CAN-07'),
  found('cancel-is-error', 'cancelling a running turn, twice', 'R-CAN-06', 'R-ERR-06'),
  found('cancel-kills-session', 'cancelling a running turn, twice', 'R-CAN-12'),
  {
    ...found('loses-early-cancel', 'cancelling right behind the prompt', 'R-CAN-11'),
    more: { timeouts: { startMs: 8000, answerMs: 2000, turnMs: 9000, exitMs: 700, promptMs: 300 } },
  },
  found('sticky-cancel', 'cancelling when nothing runs', 'R-CAN-09'),
  found('cancels-all', 'cancelling one of two sessions', 'R-CAN-10', 'R-SES-09'),
  { ...found('blocks', 'requests during a turn', 'R-FRM-26'), more: SHORT },
  found('answers-cancelled-twice', '$/cancel_request of a prompt', 'R-CRQ-03'),
  found('cannot-set-mode', 'setting the mode', 'R-MOD-03'),
  found('any-mode', 'setting the mode', 'R-MOD-04'),
  found('modes-apart', 'modes and the mode option stay in step', 'R-MOD-08'),
  found('answers-no-options', 'setting an option', 'R-CFG-09'),
  found('answers-one-option', 'setting an option', 'R-CFG-09'),
  found('any-option', 'setting an option', 'R-CFG-10'),
  found('strict-type', 'setting an option', 'R-CFG-11'),
  found('busy-modes', 'setting mode and option during a turn', 'R-MOD-03', 'R-CFG-12'),
  found('no-replay', 'loading a session in a new process', 'R-LOD-03'),
  found('replays-late', 'loading a session in a new process', 'R-LOD-03', 'R-LOD-04'),
  found('asks-in-replay', 'loading a session in a new process', 'R-LOD-08'),
  found('loads-anything', 'loading a session that does not exist', 'R-LOD-07'),
  found('resume-replays', 'resuming a session in a new process', 'R-RSM-03'),
  found('forgets', 'resuming a session in a new process', 'R-RSM-04'),
  found('resumes-anything', 'resuming a session that does not exist', 'R-RSM-06'),
  found('list-needs-cwd', 'listing sessions', 'R-LST-02'),
  found('any-cursor', 'listing sessions', 'R-LST-09'),
  found('ignores-filter', 'listing sessions', 'R-LST-03'),
  found('ignores-filter', 'listing does not change anything', 'R-LST-05'),
  found('lists-twice', 'listing does not change anything', 'R-LST-06'),
  found('list-touches', 'listing does not change anything', 'R-LST-11'),
  found('cannot-close', 'closing a session', 'R-CLS-04'),
  found('prompts-after-close', 'closing a session', 'R-CLS-06'),
  found('closes-all', 'closing a session', 'R-SES-09'),
  found('close-deletes', 'closing a session', 'R-CLS-07'),
  found('deletes-nothing', 'deleting a session', 'R-DEL-02'),
  found('delete-fails-again', 'deleting a session', 'R-DEL-03'),
  found('no-mcp', 'an MCP server over stdio', 'R-MCP-01'),
  found('refuses-servers', 'an MCP server over stdio', 'R-MCP-01'),
  found('joins-arguments', 'an MCP server over stdio', 'R-MCP-08'),
  { ...found('keeps-servers', 'an MCP server over stdio', 'R-CLS-03'), more: SHORT },
  found('stops-at-broken-server', 'a broken MCP server among good ones', 'R-MCP-06'),
  found('process-cwd', 'a tool reads a file of the session', 'R-SES-06', 'R-SES-07'),
  found('uses-fs', 'tools of a client that offers nothing', 'R-FS-01', 'R-INI-20'),
  found('tool-error-ends-turn', 'errors of the client while a tool runs', 'R-FS-10'),
  found('no-plan', 'a plan', 'R-PLN-01'),
  found('reads-outside', 'a file outside the roots', 'R-SES-08'),
  found('failure-as-text', 'a turn that fails', 'R-PRM-15'),
  found('command-fails', 'commands', 'R-CMD-05', 'R-CMD-06'),
  found('elicitation-fails-turn', 'answers to elicitations', 'R-ELI-10', 'R-ELI-11', 'R-ELI-23'),
  found('forgets-always', 'permission that is given', 'R-PER-09'),
  found('runs-anyway', 'permission that is not given', 'R-PER-07'),
  {
    ...found('permission-deadlock', 'cancelling while permission is asked', 'R-CAN-05'),
    more: SHORT,
  },
  found('error-fails-turn', '-32800 as answer to a permission request', 'R-PER-13'),
  { ...found('one-id-space', 'one id in both directions', 'R-FRM-15'), more: SHORT },
  { ...found('close-leaves-turn', 'closing a session during a turn', 'R-CLS-02'), more: SHORT },
  { ...found('ignores-eof', 'the end of input when idle', 'R-FRM-09'), more: SHORT },
  { ...found('leaves-children', 'the end of input during a turn', 'R-FRM-09'), more: SHORT },
];

let store: string;
beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'signalbox-fixture-'));
});
afterAll(async () => {
  await rm(store, { recursive: true, force: true });
});

describe('an agent with one fault', () => {
  test.concurrent.each(FAULTS)(
    '$fault is found by: $probe',
    async ({ fault, probe, ids, more }) => {
      const own = await mkdtemp(join(store, 'sessions-'));
      const options = fixtureAgent(fault, own);
      const env = { ...options.env, ...(more === LOGIN ? { FIXTURE_NEEDS_LOGIN: '1' } : {}) };
      const observations = await runAgentProbes({
        ...options,
        ...more,
        env,
        only: [probe],
      } as CheckAgentOptions);
      const accused = observations.filter(({ outcome }) => /failed|warned/.test(outcome));
      expect(accused.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
      for (const id of ids) {
        expect(accused.some((each) => each.id === id && each.text !== '')).toBe(true);
      }
    },
  );
});

/** What is unusual and no fault, and the probes that might take it for one. */
const ODDITIES: readonly { readonly oddity: string; readonly only: readonly string[] }[] = [
  {
    oddity: 'short-turns',
    only: ['cancelling a running turn, twice', 'closing a session during a turn'],
  },
  {
    oddity: 'late-servers',
    only: ['an MCP server over stdio', 'a broken MCP server among good ones'],
  },
  { oddity: 'needs-server', only: ['every set of client capabilities'] },
  {
    oddity: 'no-sessions',
    only: ['every set of client capabilities', 'an MCP server over stdio'],
  },
  {
    oddity: 'one-session',
    only: [
      'opening a session',
      'params that do not fit',
      'lists of MCP servers that do not fit',
      'members that the schema does not know',
      'MCP servers over a transport that was not announced',
      'additional directories that do not fit',
    ],
  },
];

describe('an agent that is unusual', () => {
  test.concurrent.each(ODDITIES)('is accused of nothing: $oddity', async ({ oddity, only }) => {
    const own = await mkdtemp(join(store, 'sessions-'));
    const observations = await runAgentProbes({ ...fixtureAgent(oddity, own), only });
    const accused = observations.filter(({ outcome }) => /failed|warned/.test(outcome));
    const told = accused.map(({ id, text }) => `${id}: ${text}`);
    expect(told.filter((line) => !line.startsWith('R-MCP-07'))).toEqual([]);
  });
});

test('every probe of agents on stdio is shown a fault that it finds', () => {
  const shown = new Set(FAULTS.map(({ probe }) => probe));
  const local = AGENT_PROBES.filter(({ over }) => whyNotOver(over, 'stdio') === undefined);
  const names = local.map(({ name }) => name);
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
  expect([...shown].filter((name) => !names.includes(name))).toEqual([]);
});
