import { defineArea } from './requirement.ts';

/** Plans. */
export const PLANS = defineArea('PLN', 'Plans', [
  {
    id: 'R-PLN-01',
    bound: 'agent',
    level: 'SHOULD',
    source: 'D',
    kind: 'triggered',
    sentence: 'Report a plan the model makes with a `plan` update.',
  },
  {
    id: 'R-PLN-02',
    bound: 'agent',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence:
      'Give each entry content, priority (high, medium, low) and status (pending, in_progress, completed).',
  },
  {
    id: 'R-PLN-03',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Send the complete list with current states every time.',
  },
  {
    id: 'R-PLN-04',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Replace the whole plan on each update.',
    whyNot: { client: 'shows only in what the client displays' },
  },
  {
    id: 'R-PLN-05',
    bound: 'agent',
    level: 'SHOULD',
    source: 'D',
    kind: 'triggered',
    sentence: 'Send updates as work progresses.',
  },
  {
    id: 'R-PLN-06',
    bound: 'agent',
    level: 'MAY',
    source: 'D',
    kind: 'passive',
    sentence: 'Add, drop or change entries at any time.',
  },
]);
