import { defineArea } from './requirement.ts';

/** usage_update. */
export const USAGE = defineArea('USG', 'usage_update', [
  {
    id: 'R-USG-01',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Give `used` and `size` as non-negative integers in every usage_update.',
  },
  {
    id: 'R-USG-02',
    bound: 'agent',
    level: 'SHOULD',
    source: 'R',
    kind: 'passive',
    sentence: 'Send no usage_update when no meaningful window size is known.',
  },
  {
    id: 'R-USG-03',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'If `cost` is present and not null, give amount and currency.',
  },
  {
    id: 'R-USG-04',
    bound: 'agent',
    level: 'SHOULD',
    source: 'R',
    kind: 'passive',
    sentence:
      'Send it when data is available: after new, load, resume and prompts and on big changes.',
  },
  {
    id: 'R-USG-05',
    bound: 'client',
    level: 'SHOULD',
    source: 'I',
    kind: 'active',
    sentence: 'Accept used > size and changing size.',
  },
]);
