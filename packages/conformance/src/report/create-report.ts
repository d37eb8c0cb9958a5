import type { Observation } from '../findings/observation.ts';
import { REQUIREMENTS } from '../requirements/all.ts';
import { boundSides, type Requirement, type Side } from '../requirements/requirement.ts';
import { listTransports, TRANSPORT_TITLES, type TransportKind } from '../transport-kind.ts';
import type { Report, RequirementResult, Verdict } from './report.ts';

/** What a report is made from. */
export interface ReportInput {
  readonly side: Side;
  readonly target: string;
  /** How the messages travelled. Default stdio. */
  readonly transport?: TransportKind;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly observations: readonly Observation[];
  readonly knownFailures?: readonly { readonly id: string; readonly reason: string }[];
  readonly isStrict?: boolean;
}

/** Weighs what the checks saw: one result for each requirement of the side under test. */
export function createReport(input: ReportInput): Report {
  const { side, transport = 'stdio', isStrict = false } = input;
  const known = new Map((input.knownFailures ?? []).map(({ id, reason }) => [id, reason]));
  const mine = Map.groupBy(
    input.observations.filter((each) => each.side === side),
    ({ id }) => id,
  );
  const results = REQUIREMENTS.filter((each) => boundSides(each).includes(side)).map(
    (requirement) =>
      weigh(requirement, mine.get(requirement.id) ?? [], {
        side,
        transport,
        isStrict,
        knownReason: known.get(requirement.id),
      }),
  );
  const counts = count(results);
  return {
    side,
    target: input.target,
    transport,
    startedAt: input.startedAt.toISOString(),
    durationMs: input.durationMs,
    isStrict,
    results,
    counts,
    exitCode: counts.failed > 0 ? 1 : 0,
  };
}

interface Weighing {
  readonly side: Side;
  readonly transport: TransportKind;
  readonly isStrict: boolean;
  readonly knownReason: string | undefined;
}

function weigh(
  requirement: Requirement,
  observations: readonly Observation[],
  { side, transport, isStrict, knownReason }: Weighing,
): RequirementResult {
  // What a check over one transport seems to say of another one says nothing.
  if (requirement.over?.includes(transport) === false) {
    return notOver(requirement, requirement.over, transport);
  }
  const findings = distinct(
    observations.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned'),
  );
  const passedIn = [
    ...new Set(
      observations.filter(({ outcome }) => outcome === 'passed').map(({ where }) => where),
    ),
  ];
  const verdict = verdictOf(requirement, findings, passedIn.length > 0, observations, isStrict);
  const isBroken = verdict === 'failed' || verdict === 'warning';
  const common = {
    requirement,
    verdict: isBroken && knownReason !== undefined ? ('known failure' as const) : verdict,
    text: textOf(requirement, side, verdict, observations),
    findings,
    passedIn,
  };
  if (knownReason === undefined || !(isBroken || verdict === 'passed')) return common;
  return { ...common, knownReason, ...(isBroken ? {} : { isUnexpectedPass: true as const }) };
}

function notOver(
  requirement: Requirement,
  over: readonly TransportKind[],
  transport: TransportKind,
): RequirementResult {
  const text = `about ${listTransports(over)}; this check went over ${TRANSPORT_TITLES[transport]}`;
  return { requirement, verdict: 'not exercised', text, findings: [], passedIn: [] };
}

/** The same finding on many connections is told once; the first one carries the evidence. */
function distinct(findings: readonly Observation[]): readonly Observation[] {
  const groups = Map.groupBy(findings, ({ where, text }) => `${where}\n${text}`);
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const text = more.length === 0 ? first.text : `${first.text} (${more.length + 1} times)`;
    return [{ ...first, text }];
  });
}

function verdictOf(
  requirement: Requirement,
  findings: readonly Observation[],
  hasPassed: boolean,
  observations: readonly Observation[],
  isStrict: boolean,
): Verdict {
  if (findings.some(({ outcome }) => outcome === 'failed')) {
    return isStrict || isRule(requirement) ? 'failed' : 'warning';
  }
  if (findings.length > 0) return 'warning';
  if (hasPassed) return 'passed';
  const isOff = observations.some(({ outcome }) => outcome === 'not_applicable');
  return isOff ? 'not applicable' : 'not exercised';
}

/** Whether breaking a requirement breaks the protocol, and not only a recommendation or a guess. */
export function isRule({ level, source }: Requirement): boolean {
  return (level === 'MUST' || level === 'MUST NOT') && source !== 'I' && source !== 'K';
}

function textOf(
  requirement: Requirement,
  side: Side,
  verdict: Verdict,
  observations: readonly Observation[],
): string {
  const first = (...outcomes: readonly Observation['outcome'][]) =>
    outcomes.flatMap((outcome) => observations.filter((each) => each.outcome === outcome))[0]?.text;
  switch (verdict) {
    case 'failed':
    case 'warning':
    case 'known failure':
      return first('failed', 'warned') ?? '';
    case 'passed':
      return first('passed') ?? '';
    case 'not applicable':
      return first('not_applicable') ?? '';
    case 'not exercised':
      return (
        first('not_exercised') ?? requirement.whyNot?.[side] ?? 'the situation did not come up'
      );
  }
}

function count(results: readonly RequirementResult[]): Report['counts'] {
  const counts: Record<Verdict, number> = {
    passed: 0,
    failed: 0,
    warning: 0,
    'known failure': 0,
    'not exercised': 0,
    'not applicable': 0,
  };
  for (const { verdict } of results) counts[verdict]++;
  return counts;
}
