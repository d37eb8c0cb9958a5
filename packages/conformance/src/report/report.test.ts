import { describe, expect, test } from 'vitest';
import { checkTrace } from '../check-trace.ts';
import type { Observation, Outcome } from '../findings/observation.ts';
import { Wire } from '../testing/wire.ts';
import { createReport, isRule } from './create-report.ts';
import { parseKnownFailures } from './known-failures.ts';
import { renderTerminal } from './render-terminal.ts';
import type { Report, Verdict } from './report.ts';
import { toHtml } from './to-html.ts';
import { toJson } from './to-json.ts';
import { toJUnit } from './to-junit.ts';
import { findRequirement } from '../requirements/all.ts';

const MUST = 'R-FRM-10';
const SHOULD = 'R-FRM-21';
const INFERRED = 'R-FRM-26';
const GUESSED = 'R-PRM-09';
const MAY = 'R-CRQ-02';

function see(
  id: string,
  outcome: Outcome,
  text = 'seen',
  evidence: readonly string[] = [],
): Observation {
  return { id, side: 'agent', outcome, where: 'a check', text, evidence };
}

function report(observations: readonly Observation[], more: object = {}): Report {
  return createReport({
    side: 'agent',
    target: 'agent --acp',
    startedAt: new Date(0),
    durationMs: 1500,
    observations,
    ...more,
  });
}

function verdict(id: string, ...observations: readonly Observation[]): Verdict | undefined {
  return report(observations).results.find(({ requirement }) => requirement.id === id)?.verdict;
}

describe('the verdict', () => {
  test('tells rules from recommendations and guesses', () => {
    expect(
      [MUST, SHOULD, INFERRED, GUESSED, MAY].map((id) => isRule(findRequirement(id)!)),
    ).toEqual([true, false, true, false, false]);
    expect(verdict(MUST, see(MUST, 'failed'))).toBe('failed');
    expect(verdict(SHOULD, see(SHOULD, 'failed'))).toBe('warning');
    expect(verdict(GUESSED, see(GUESSED, 'failed'))).toBe('warning');
    expect(verdict(MAY, see(MAY, 'failed'))).toBe('warning');
  });

  test('keeps a doubtful finding a warning, also of a rule', () => {
    expect(verdict(MUST, see(MUST, 'warned'), see(MUST, 'passed'))).toBe('warning');
  });

  test('lets one failure outweigh any number of passes', () => {
    expect(verdict(MUST, see(MUST, 'passed'), see(MUST, 'failed'), see(MUST, 'passed'))).toBe(
      'failed',
    );
  });

  test('never calls passed what did not come up', () => {
    expect(verdict(MUST)).toBe('not exercised');
    expect(verdict(MUST, see(MUST, 'not_exercised'))).toBe('not exercised');
    expect(verdict(MUST, see(MUST, 'not_exercised'), see(MUST, 'not_applicable'))).toBe(
      'not applicable',
    );
    expect(verdict(MUST, see(MUST, 'not_applicable'), see(MUST, 'passed'))).toBe('passed');
  });

  test('takes everything for a rule when it is told to be strict', () => {
    const strict = report([see(SHOULD, 'failed')], { isStrict: true });
    expect(strict.counts.failed).toBe(1);
    expect(strict.exitCode).toBe(1);
  });

  test('is about the side that was checked, and about what binds it', () => {
    const other = report([{ ...see(MUST, 'failed'), side: 'client' }]);
    expect(other.counts.failed).toBe(0);
    expect(other.results.some(({ requirement }) => requirement.bound === 'client')).toBe(false);
    const total = Object.values(other.counts).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(other.results.length);
  });

  test('says why a requirement is out of sight', () => {
    const result = report([]).results.find(({ requirement }) => requirement.id === 'R-TRX-01');
    expect(result?.text).toContain('permits everything');
  });

  test('says nothing of what another transport is about, whatever a check seems to have seen', () => {
    const seen = [see('R-HTTP-05', 'passed'), see('R-FRM-04', 'failed')];
    const verdictOver = (id: string, transport: string) =>
      report(seen, { transport }).results.find(({ requirement }) => requirement.id === id);
    expect(verdictOver('R-HTTP-05', 'http')?.verdict).toBe('passed');
    expect(verdictOver('R-FRM-04', 'stdio')?.verdict).toBe('failed');
    const other = verdictOver('R-FRM-04', 'http');
    expect(other?.verdict).toBe('not exercised');
    expect(other?.text).toBe('about stdio; this check went over Streamable HTTP');
    expect(verdictOver('R-HTTP-05', 'stdio')?.verdict).toBe('not exercised');
  });
});

describe('known failures', () => {
  const knownFailures = [{ id: MUST, reason: 'we work on it' }];

  test('do not fail the check', () => {
    const known = report([see(MUST, 'failed')], { knownFailures });
    expect(known.counts['known failure']).toBe(1);
    expect(known.exitCode).toBe(0);
    expect(renderTerminal(known)).toContain('known: we work on it');
  });

  test('are reported when they pass', () => {
    const fixed = report([see(MUST, 'passed')], { knownFailures });
    expect(fixed.results.find(({ requirement }) => requirement.id === MUST)).toMatchObject({
      verdict: 'passed',
      isUnexpectedPass: true,
    });
    expect(renderTerminal(fixed)).toContain('listed as a known failure, but it passes');
  });

  test('are nothing to mention when they do not come up', () => {
    expect(renderTerminal(report([], { knownFailures }))).not.toContain('we work on it');
  });

  test('are read from a list with reasons, and from nothing else', () => {
    expect(parseKnownFailures('[{"id":"R-MCP-01","reason":"not yet"}]')).toEqual([
      { id: 'R-MCP-01', reason: 'not yet' },
    ]);
    for (const text of [
      '',
      '{}',
      '[{"id":"R-MCP-01"}]',
      '[{"id":"R-MCP-01","reason":" "}]',
      '[{"id":"R-NONE-01","reason":"x"}]',
    ]) {
      expect(() => parseKnownFailures(text)).toThrow(SyntaxError);
    }
  });
});

const EVIL = '<script>alert("x")</script> & \u001b[31mred\u0007 \u202e';
const hostile = report([
  see(MUST, 'failed', EVIL, [`line 1 a2c: ${EVIL}`]),
  see(SHOULD, 'failed', 'a warning'),
  see(MAY, 'passed'),
  see('R-LOD-03', 'not_applicable', 'not announced: loadSession'),
]);

describe('what reports look like', () => {
  test('the terminal gets no control characters from the program under test', () => {
    const text = renderTerminal(hostile, { isVerbose: true });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    expect(text).toContain('✗ R-FRM-10 MUST [J]');
    expect(text).toContain('1 passed, 1 failed, 1 warning');
    expect(text.trimEnd().endsWith('Rules were broken.')).toBe(true);
    expect(renderTerminal(hostile, { hasColour: true })).toContain('\u001b[31m✗\u001b[0m');
    expect(renderTerminal(hostile)).not.toContain('R-LOD-03');
  });

  test('the page is escaped, complete and needs nothing else', () => {
    const page = toHtml(hostile);
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(page).not.toMatch(/(src|href)=/);
    expect(page.match(/<tr id="R-/g)).toHaveLength(hostile.results.length);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });

  test('the XML holds one case for each requirement, and only failures fail', () => {
    const xml = toJUnit(hostile);
    expect(xml.match(/<testcase /g)).toHaveLength(hostile.results.length);
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml.match(/<system-out>/g)).toHaveLength(1);
    expect(xml).toContain('failures="1"');
    expect(xml).not.toContain('<script');
    expect(xml).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    const opened = [
      ...xml.matchAll(/<(testsuites|testsuite|testcase|failure|system-out)\b[^>]*(?<!\/)>/g),
    ];
    const closed = [...xml.matchAll(/<\/(testsuites|testsuite|testcase|failure|system-out)>/g)];
    expect(opened.length).toBe(closed.length);
  });

  test('the JSON can be read back', () => {
    const read = JSON.parse(toJson(hostile)) as {
      format: string;
      exitCode: number;
      results: { id: string; findings: Observation[] }[];
    };
    expect(read.format).toBe('signalbox-conformance-1');
    expect(read.exitCode).toBe(1);
    expect(read.results.find(({ id }) => id === MUST)?.findings[0]?.text).toBe(EVIL);
  });
});

test('every form of a report names the transport', () => {
  const over = report([], { transport: 'websocket' });
  expect(renderTerminal(over)).toContain('Conformance of the agent over WebSocket');
  expect(toHtml(over)).toContain('<title>Conformance of the agent over WebSocket</title>');
  expect(toJUnit(over)).toContain('name="conformance of the agent over WebSocket"');
  expect(JSON.parse(toJson(over))).toMatchObject({ transport: 'websocket' });
});

test('the same finding on many connections is told once', () => {
  const same = report([
    see(MUST, 'failed', 'again'),
    see(MUST, 'failed', 'again'),
    see(MUST, 'failed', 'other'),
  ]);
  const result = same.results.find(({ requirement }) => requirement.id === MUST);
  expect(result?.findings.map(({ text }) => text)).toEqual(['again (2 times)', 'other']);
});

test('a recorded connection is judged for one side', () => {
  const { trace } = new Wire().ready().raw('agent', 'a banner');
  const agent = checkTrace({ trace, side: 'agent', target: 'a recording' });
  expect(agent.results.find(({ verdict: each }) => each === 'failed')?.requirement.id).toBe(
    'R-FRM-04',
  );
  expect(checkTrace({ trace, side: 'client', target: 'a recording' }).counts.failed).toBe(0);
});
