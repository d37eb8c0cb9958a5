import { AREAS } from '../requirements/all.ts';
import { TRANSPORT_TITLES } from '../transport-kind.ts';
import { placeOf } from './place-of.ts';
import { printable } from './printable.ts';
import type { Report, RequirementResult, Verdict } from './report.ts';

/** How a report is shown in a terminal. */
export interface TerminalOptions {
  /** Colours and weights by escape sequences. Default false. */
  readonly hasColour?: boolean;
  /** Lists what passed and what was not exercised too. Default false. */
  readonly isVerbose?: boolean;
}

const MARKS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  warning: '!',
  'known failure': '~',
  'not exercised': '·',
  'not applicable': '-',
};
const COLOURS: Readonly<Record<Verdict, number>> = {
  passed: 32,
  failed: 31,
  warning: 33,
  'known failure': 35,
  'not exercised': 90,
  'not applicable': 90,
};
const FINDINGS_SHOWN_MAX = 3;

/** The report as text, by area, with a summary at the end. */
export function renderTerminal(report: Report, options: TerminalOptions = {}): string {
  const paint = (text: string, code: number) =>
    options.hasColour === true ? `\u001b[${code}m${text}\u001b[0m` : text;
  const lines: string[] = [
    paint(`Conformance of the ${report.side} over ${TRANSPORT_TITLES[report.transport]}`, 1),
    printable(report.target),
    '',
  ];
  for (const area of AREAS) {
    const results = report.results.filter(({ requirement }) => requirement.area === area.code);
    const shown = results.filter((result) => options.isVerbose === true || isNews(result));
    const passed = results.filter(({ verdict }) => verdict === 'passed').length;
    if (results.length === 0) continue;
    lines.push(`${paint(area.title, 1)} (${passed} of ${results.length} passed)`);
    for (const result of shown) lines.push(...resultLines(result, paint));
  }
  return [...lines, '', ...summary(report, paint), ''].join('\n');
}

function isNews({ verdict, isUnexpectedPass }: RequirementResult): boolean {
  return (
    verdict === 'failed' ||
    verdict === 'warning' ||
    verdict === 'known failure' ||
    isUnexpectedPass === true
  );
}

function resultLines(
  { requirement, verdict, text, findings, knownReason, isUnexpectedPass }: RequirementResult,
  paint: (text: string, code: number) => string,
): string[] {
  const mark = paint(MARKS[verdict], COLOURS[verdict]);
  const lines = [
    `  ${mark} ${requirement.id} ${requirement.level} [${requirement.source}] ${requirement.sentence}`,
  ];
  if (isUnexpectedPass === true) lines.push('      listed as a known failure, but it passes');
  if (knownReason !== undefined) lines.push(`      known: ${printable(knownReason)}`);
  if (findings.length === 0) return [...lines, `      ${printable(text)}`];
  for (const finding of findings.slice(0, FINDINGS_SHOWN_MAX)) {
    lines.push(`      ${printable(finding.text)} [${placeOf(finding)}]`);
    for (const line of finding.evidence) lines.push(paint(`        ${printable(line)}`, 90));
  }
  const more = findings.length - FINDINGS_SHOWN_MAX;
  if (more > 0) lines.push(`      and ${more} more`);
  return lines;
}

function summary(
  { counts, durationMs, exitCode, results }: Report,
  paint: (text: string, code: number) => string,
): string[] {
  const parts = (Object.keys(MARKS) as Verdict[])
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => paint(`${counts[verdict]} ${verdict}`, COLOURS[verdict]));
  const fixed = results.filter(({ isUnexpectedPass }) => isUnexpectedPass === true).length;
  const result = exitCode === 0 ? 'No rule was broken.' : 'Rules were broken.';
  return [
    `${parts.join(', ')}; ${(durationMs / 1000).toFixed(1)} s`,
    ...(fixed === 0 ? [] : [`${fixed} known failures pass now and can be taken off the list`]),
    paint(result, exitCode === 0 ? 32 : 31),
  ];
}
