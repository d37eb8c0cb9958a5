import { AREAS } from '../requirements/all.ts';
import { TRANSPORT_TITLES } from '../transport-kind.ts';
import { escapeMarkup } from './escape-markup.ts';
import { placeOf } from './place-of.ts';
import type { Report, RequirementResult, Verdict } from './report.ts';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2rem; font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0.3rem 0.6rem; border-top: 1px solid #8884; vertical-align: top; }
td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
.verdict { white-space: nowrap; font-weight: 600; }
.passed { color: #1a7f37; } .failed { color: #cf222e; } .warning { color: #9a6700; }
.known { color: #8250df; } .not { color: #888; font-weight: 400; }
pre { margin: 0.3rem 0; padding: 0.5rem; background: #8881; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.counts span { margin-right: 1.2rem; }
.quiet { color: #888; }`;

/** The report as one page that needs nothing else: no script, no style from elsewhere. */
export function toHtml(report: Report): string {
  const { side, target, transport, startedAt, durationMs, exitCode } = report;
  const title = `Conformance of the ${side} over ${TRANSPORT_TITLES[transport]}`;
  const result = exitCode === 0 ? 'No rule was broken.' : 'Rules were broken.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${title}</h1>
<p><code>${escapeMarkup(target)}</code><br>
<span class="quiet">${escapeMarkup(startedAt)}, ${(durationMs / 1000).toFixed(1)} s</span></p>
<p class="${exitCode === 0 ? 'passed' : 'failed'}"><strong>${result}</strong></p>
<p class="counts">${countsOf(report)}</p>
${AREAS.map((area) => section(report, area)).join('')}</body>
</html>
`;
}

function countsOf({ counts }: Report): string {
  return (Object.keys(counts) as Verdict[])
    .map((verdict) => `<span class="${classOf(verdict)}">${counts[verdict]} ${verdict}</span>`)
    .join('');
}

function section(report: Report, { code, title }: (typeof AREAS)[number]): string {
  const results = report.results.filter(({ requirement }) => requirement.area === code);
  if (results.length === 0) return '';
  return `<h2>${escapeMarkup(title)}</h2>\n<table>\n${results.map(row).join('')}</table>\n`;
}

function row(result: RequirementResult): string {
  const { requirement, verdict, text, findings, knownReason } = result;
  const notes = [
    knownReason === undefined ? '' : `<div>known: ${escapeMarkup(knownReason)}</div>`,
    result.isUnexpectedPass === true ? '<div>listed as a known failure, but it passes</div>' : '',
    findings.length === 0 ? `<div class="quiet">${escapeMarkup(text)}</div>` : '',
    ...findings.map(
      (finding) =>
        `<details><summary>${escapeMarkup(finding.text)} <span class="quiet">${escapeMarkup(placeOf(finding))}</span></summary>` +
        `${finding.evidence.map((line) => `<pre>${escapeMarkup(line)}</pre>`).join('')}</details>`,
    ),
  ].join('');
  const kind = `<span class="quiet">${requirement.level} [${requirement.source}]</span>`;
  return (
    `<tr id="${requirement.id}"><td>${requirement.id}</td>` +
    `<td class="verdict ${classOf(verdict)}">${verdict}</td>` +
    `<td>${escapeMarkup(requirement.sentence)} ${kind}${notes}</td></tr>\n`
  );
}

function classOf(verdict: Verdict): string {
  return verdict.split(' ')[0] ?? verdict;
}
