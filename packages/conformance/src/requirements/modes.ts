import { defineArea } from './requirement.ts';

/** Session modes. */
export const MODES = defineArea('MOD', 'Session modes', [
  {
    id: 'R-MOD-01',
    bound: 'agent',
    level: 'MAY',
    source: 'D',
    kind: 'passive',
    sentence: 'Return `modes` with currentModeId and availableModes from new, load or resume.',
  },
  {
    id: 'R-MOD-02',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence:
      'Set a mode with session/set_mode {sessionId, modeId} using an id from availableModes, and only when modes were offered.',
  },
  {
    id: 'R-MOD-03',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Accept set_mode at any time, also during a turn, and return an object.',
  },
  {
    id: 'R-MOD-04',
    bound: 'agent',
    level: 'SHOULD',
    source: 'I',
    kind: 'active',
    sentence: 'Refuse an unknown modeId with -32602 and keep the mode.',
  },
  {
    id: 'R-MOD-05',
    bound: 'agent',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence: 'Announce its own mode changes by current_mode_update with `currentModeId`.',
  },
  {
    id: 'R-MOD-06',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Follow current_mode_update.',
    whyNot: { client: 'shows only in what the client displays' },
  },
  {
    id: 'R-MOD-07',
    bound: 'both',
    level: 'MAY',
    source: 'I',
    kind: 'active',
    sentence:
      'Whether set_mode is also followed by current_mode_update is open; both sides must cope.',
  },
  {
    id: 'R-MOD-08',
    bound: 'agent',
    level: 'SHOULD',
    source: 'D',
    kind: 'active',
    sentence: 'Keep modes and the `mode` config option in step when it offers both.',
  },
]);
