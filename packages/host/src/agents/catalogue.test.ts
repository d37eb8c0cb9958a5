import { expect, test } from 'vitest';
import { KNOWN_AGENTS } from './catalogue.ts';
import { hasQuirk, QUIRKS, type Quirk } from './quirks.ts';

const USED = new Set(KNOWN_AGENTS.flatMap(({ quirks }) => quirks.map(({ name }) => name)));

test('names are unique, in order, and such that a configuration can replace them', () => {
  const names = KNOWN_AGENTS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*$/);
});

test('every agent says how it is started, what it needs and how to get it', () => {
  for (const agent of KNOWN_AGENTS) {
    expect(agent.command.length, agent.name).toBeGreaterThan(0);
    expect(agent.needs, agent.name).toMatch(/\.$/);
    expect(agent.install, agent.name).toMatch(/^npm install -g @?[a-z]/);
    expect(agent.protocolVersions, agent.name).toContain(1);
  }
});

test('agents get variables by whole names or by an opening, and never all of them', () => {
  const named = KNOWN_AGENTS.flatMap(({ passEnv }) => passEnv);
  for (const name of named) expect(name).toMatch(/^[A-Z][A-Z0-9_]+(_\*)?$/);
});

test('quirks are sentences, in order, each named once by an agent', () => {
  for (const { agent, host } of Object.values(QUIRKS)) {
    expect(agent).toMatch(/^[A-Z].*\.$/);
    expect(host).toMatch(/^[A-Z].*\.$/);
  }
  for (const { name, quirks } of KNOWN_AGENTS) {
    const names = quirks.map((quirk) => quirk.name);
    expect(names, name).toEqual([...new Set(names)].sort());
  }
});

test('every quirk is one of some agent, or of the example of the official library', () => {
  const ofTheExample: Quirk[] = ['no-cancelled-stop-reason', 'reuses-tool-call-ids'];
  const unused = (Object.keys(QUIRKS) as Quirk[]).filter((name) => !USED.has(name));
  expect(unused).toEqual(ofTheExample);
});

test('an agent has the quirks that its entry names and no others', () => {
  expect(hasQuirk({ quirks: ['large-lines'] }, 'large-lines')).toBe(true);
  expect(hasQuirk({ quirks: ['large-lines'] }, 'own-terminals')).toBe(false);
  expect(hasQuirk({}, 'large-lines')).toBe(false);
});
