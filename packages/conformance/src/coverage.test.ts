import { expect, test } from 'vitest';
import { coverageOf } from './coverage.ts';
import { PASSIVE_CHECKS } from './passive/run-passive.ts';
import { AGENT_PROBES } from './probes/agent/run-probes.ts';
import { CLIENT_SCENARIOS } from './probes/client/scenarios.ts';
import { AREAS, findRequirement, REQUIREMENTS } from './requirements/all.ts';
import { boundSides, type Side } from './requirements/requirement.ts';
import { WIRE_CHECKS } from './wire/run-wire-checks.ts';

const COUNTS: Readonly<Record<string, number>> = {
  FRM: 31,
  INI: 20,
  AUT: 16,
  SES: 13,
  MCP: 11,
  LOD: 12,
  RSM: 6,
  CLS: 8,
  LST: 17,
  DEL: 4,
  DIR: 7,
  PRM: 18,
  CHK: 13,
  USG: 5,
  CAN: 15,
  CRQ: 9,
  TOOL: 22,
  PER: 13,
  PLN: 6,
  MOD: 8,
  CFG: 17,
  CMD: 6,
  FS: 11,
  TRM: 18,
  ELI: 26,
  CNT: 9,
  EXT: 9,
  ERR: 7,
  NOT: 5,
  CMP: 7,
  HTTP: 29,
  WS: 9,
  TRX: 3,
  REG: 5,
};

test('there are 415 requirements, each area has its number of them, and no id comes twice', () => {
  expect(
    Object.fromEntries(AREAS.map(({ code, requirements }) => [code, requirements.length])),
  ).toEqual(COUNTS);
  expect(REQUIREMENTS).toHaveLength(415);
  expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(415);
});

test('ids name their area and are numbered without gaps', () => {
  for (const { code, requirements } of AREAS) {
    const expected = requirements.map(
      (_, place) => `R-${code}-${String(place + 1).padStart(2, '0')}`,
    );
    expect(requirements.map(({ id }) => id)).toEqual(expected);
  }
});

test('every sentence is a sentence', () => {
  for (const { sentence } of REQUIREMENTS) expect(sentence).toMatch(/^[^a-z].*\.$/);
});

test('every requirement is checked on each side that it binds, or says why it is not', () => {
  const open = REQUIREMENTS.flatMap((requirement) =>
    coverageOf(requirement)
      .filter(
        ({ passive, probes, whyNot }) =>
          passive.length + probes.length === 0 && whyNot === undefined,
      )
      .map(({ side }) => `${requirement.id} of the ${side}`),
  );
  expect(open).toEqual([]);
});

test('a reason why something is not checked does not stand beside a check of it', () => {
  const both = REQUIREMENTS.flatMap((requirement) =>
    coverageOf(requirement)
      .filter(
        ({ passive, probes, whyNot }) => passive.length + probes.length > 0 && whyNot !== undefined,
      )
      .map(({ side }) => `${requirement.id} of the ${side}`),
  );
  expect(both).toEqual([]);
});

test('every check names requirements that exist and that bind the side it looks at', () => {
  const claims: readonly (readonly [string, Side, readonly string[]])[] = [
    ...[...PASSIVE_CHECKS, ...WIRE_CHECKS].flatMap(({ name, ids }) =>
      (['agent', 'client'] as const).map((side) => [name, side, ids[side] ?? []] as const),
    ),
    ...AGENT_PROBES.map(
      ({ name, ids, blame }) => [name, 'agent' as const, [...ids, ...(blame ?? [])]] as const,
    ),
    ...CLIENT_SCENARIOS.map(
      ({ name, ids, blame }) => [name, 'client' as const, [...ids, ...(blame ?? [])]] as const,
    ),
  ];
  for (const [name, side, ids] of claims) {
    for (const id of ids) {
      const requirement = findRequirement(id);
      const isBound = requirement !== undefined && boundSides(requirement).includes(side);
      expect(isBound, `${name} names ${id} for the ${side}`).toBe(true);
    }
  }
});

test('whoever is blamed for silence is among what the probe judges', () => {
  for (const { name, ids, blame } of [...AGENT_PROBES, ...CLIENT_SCENARIOS]) {
    expect(blame?.filter((id) => !ids.includes(id)) ?? [], name).toEqual([]);
  }
});

test('what is about one transport is checked by what is played over it', () => {
  for (const requirement of REQUIREMENTS.filter(({ area }) => area === 'HTTP' || area === 'WS')) {
    expect(requirement.over, requirement.id).toBeDefined();
    const checks = [...AGENT_PROBES, ...CLIENT_SCENARIOS].filter(({ ids }) =>
      ids.includes(requirement.id),
    );
    for (const { name, over } of checks) {
      const common = over?.transports.filter((each) => requirement.over?.includes(each)) ?? [];
      expect(common, `${name} and ${requirement.id}`).not.toEqual([]);
    }
  }
});

test('names of checks are different', () => {
  for (const list of [[...PASSIVE_CHECKS, ...WIRE_CHECKS], AGENT_PROBES, CLIENT_SCENARIOS]) {
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
  }
});
