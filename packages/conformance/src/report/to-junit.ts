import { AREAS } from '../requirements/all.ts';
import { TRANSPORT_TITLES } from '../transport-kind.ts';
import { escapeMarkup } from './escape-markup.ts';
import { placeOf } from './place-of.ts';
import type { Report, RequirementResult } from './report.ts';

/**
 * The report as JUnit XML, for CI: one suite for each area, one case for each requirement. Warnings pass
 * with a note, since they do not fail a check; what was not exercised is skipped.
 */
export function toJUnit(report: Report): string {
  const suites = AREAS.map(({ code, title }) => {
    const results = report.results.filter(({ requirement }) => requirement.area === code);
    const failures = results.filter(({ verdict }) => verdict === 'failed').length;
    const skipped = results.filter(isSkipped).length;
    const cases = results.map(toCase).join('');
    const head = `name="${escapeMarkup(title)}" tests="${results.length}" failures="${failures}" skipped="${skipped}"`;
    return results.length === 0 ? '' : `  <testsuite ${head}>\n${cases}  </testsuite>\n`;
  });
  const { results, counts, durationMs, side, transport } = report;
  const head = `name="conformance of the ${side} over ${TRANSPORT_TITLES[transport]}" tests="${results.length}" failures="${counts.failed}" time="${durationMs / 1000}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n${suites.join('')}</testsuites>\n`;
}

function isSkipped({ verdict }: RequirementResult): boolean {
  return verdict === 'not exercised' || verdict === 'not applicable' || verdict === 'known failure';
}

function toCase(result: RequirementResult): string {
  const { requirement, verdict, text, knownReason } = result;
  const name = `${requirement.id} ${requirement.level}: ${requirement.sentence}`;
  const head = `    <testcase classname="${requirement.area}" name="${escapeMarkup(name)}"`;
  if (verdict === 'failed') {
    const body = escapeMarkup(details(result));
    return `${head}>\n      <failure message="${escapeMarkup(text)}">${body}</failure>\n    </testcase>\n`;
  }
  if (isSkipped(result)) {
    const why = knownReason === undefined ? text : `known failure: ${knownReason}`;
    return `${head}>\n      <skipped message="${escapeMarkup(`${verdict}: ${why}`)}"/>\n    </testcase>\n`;
  }
  if (verdict === 'warning') {
    const body = escapeMarkup(`warning: ${details(result)}`);
    return `${head}>\n      <system-out>${body}</system-out>\n    </testcase>\n`;
  }
  return `${head}/>\n`;
}

function details({ findings }: RequirementResult): string {
  return findings
    .flatMap((finding) => [`${finding.text} [${placeOf(finding)}]`, ...finding.evidence])
    .join('\n');
}
