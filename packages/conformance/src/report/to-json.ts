import type { Report } from './report.ts';

/** The report as JSON, for programs. */
export function toJson(report: Report): string {
  const { results, ...rest } = report;
  const document = {
    format: 'signalbox-conformance-1',
    ...rest,
    results: results.map(({ requirement, ...result }) => ({
      id: requirement.id,
      area: requirement.area,
      level: requirement.level,
      source: requirement.source,
      sentence: requirement.sentence,
      ...result,
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
