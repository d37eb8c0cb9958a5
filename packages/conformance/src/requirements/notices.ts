import { defineArea } from './requirement.ts';

/** Notices. */
export const NOTICES = defineArea('NOT', 'Notices', [
  {
    id: 'R-NOT-01',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'S',
    kind: 'passive',
    sentence:
      'Do not send `notice` updates unless the client sent session.notices as a non-null object.',
  },
  {
    id: 'R-NOT-02',
    bound: 'agent',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence: 'Give severity and a non-empty plain-text title; description optional.',
  },
  {
    id: 'R-NOT-03',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'S',
    kind: 'passive',
    sentence: 'Do not rely on a notice being seen.',
    whyNot: { agent: 'shows only in what the agent would have said otherwise' },
  },
  {
    id: 'R-NOT-04',
    bound: 'client',
    level: 'SHOULD',
    source: 'R',
    kind: 'active',
    sentence: 'Show an unknown severity generically and infer nothing from severity.',
  },
  {
    id: 'R-NOT-05',
    bound: 'agent',
    level: 'SHOULD NOT',
    source: 'R',
    kind: 'triggered',
    sentence: 'Do not include notices in replay.',
  },
]);
