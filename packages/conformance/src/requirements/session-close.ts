import { defineArea } from './requirement.ts';

/** session/close. */
export const SESSION_CLOSE = defineArea('CLS', 'session/close', [
  {
    id: 'R-CLS-01',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Call session/close only when sessionCapabilities.close is a non-null object.',
  },
  {
    id: 'R-CLS-02',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Cancel running work of the session as if session/cancel had come.',
  },
  {
    id: 'R-CLS-03',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'triggered',
    sentence: "Free the session's resources after cancelling.",
  },
  {
    id: 'R-CLS-04',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Return an empty object.',
  },
  {
    id: 'R-CLS-05',
    bound: 'agent',
    level: 'MAY',
    source: 'D',
    kind: 'active',
    sentence: 'Return an error when the session is unknown or not active.',
  },
  {
    id: 'R-CLS-06',
    bound: 'agent',
    level: 'SHOULD',
    source: 'I',
    kind: 'active',
    sentence: 'Refuse later prompts on a closed session until it is loaded or resumed.',
  },
  {
    id: 'R-CLS-07',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'I',
    kind: 'active',
    sentence: 'Do not delete the session from history on close.',
  },
  {
    id: 'R-CLS-08',
    bound: 'client',
    level: 'MUST',
    source: 'I',
    kind: 'active',
    sentence:
      'Answer permission requests that are still open on the closed session with cancelled.',
  },
]);
