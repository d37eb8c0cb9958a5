import { defineArea } from './requirement.ts';

/** Permission requests. */
export const PERMISSION = defineArea('PER', 'Permission requests', [
  {
    id: 'R-PER-01',
    bound: 'agent',
    level: 'MAY',
    source: 'D',
    kind: 'triggered',
    sentence: 'Ask with session/request_permission before running a tool call.',
  },
  {
    id: 'R-PER-02',
    bound: 'agent',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence:
      'Give each option optionId, name and kind, kind being allow_once, allow_always, reject_once or reject_always.',
  },
  {
    id: 'R-PER-03',
    bound: 'agent',
    level: 'MUST',
    source: 'I',
    kind: 'passive',
    sentence: 'Offer at least one option and make optionIds unique in the request.',
  },
  {
    id: 'R-PER-04',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence:
      'Answer with outcome selected and one of the offered optionIds, or with outcome cancelled.',
  },
  {
    id: 'R-PER-05',
    bound: 'client',
    level: 'MAY',
    source: 'D',
    kind: 'active',
    sentence: 'Decide by user settings without asking.',
  },
  {
    id: 'R-PER-06',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Answer cancelled when the turn was cancelled.',
  },
  {
    id: 'R-PER-07',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'I',
    kind: 'triggered',
    sentence:
      'Do not run the action before the answer and never without an allow option being chosen.',
  },
  {
    id: 'R-PER-08',
    bound: 'agent',
    level: 'SHOULD',
    source: 'I',
    kind: 'triggered',
    sentence: 'After a rejection mark the tool call failed and go on or end the turn.',
  },
  {
    id: 'R-PER-09',
    bound: 'agent',
    level: 'SHOULD',
    source: 'D',
    kind: 'triggered',
    sentence: 'Remember allow_always and reject_always.',
  },
  {
    id: 'R-PER-10',
    bound: 'client',
    level: 'SHOULD',
    source: 'I',
    kind: 'active',
    sentence: 'Merge the toolCall data of the request into the displayed call.',
  },
  {
    id: 'R-PER-11',
    bound: 'both',
    level: 'MUST',
    source: 'I',
    kind: 'active',
    sentence: 'Handle several open permission requests independently, in any answer order.',
    whyNot: {
      agent:
        'only agents that run tools side by side ask twice at once, which no prompt can make certain',
    },
  },
  {
    id: 'R-PER-12',
    bound: 'client',
    level: 'SHOULD',
    source: 'I',
    kind: 'active',
    sentence:
      'When the user dismisses the question without a cancel, choose a reject option if there is one.',
  },
  {
    id: 'R-PER-13',
    bound: 'agent',
    level: 'MUST',
    source: 'I',
    kind: 'active',
    sentence: 'Cope with -32800 as answer to a permission request it cancelled.',
  },
]);
