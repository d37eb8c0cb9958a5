import { defineArea } from './requirement.ts';

/** Errors. */
export const ERRORS = defineArea('ERR', 'Errors', [
  {
    id: 'R-ERR-01',
    bound: 'both',
    level: 'MUST',
    source: 'J',
    kind: 'passive',
    sentence: 'Give errors an integer code and a string message; data is optional.',
  },
  {
    id: 'R-ERR-02',
    bound: 'both',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence: 'Use the codes with their meaning.',
  },
  {
    id: 'R-ERR-03',
    bound: 'both',
    level: 'MUST',
    source: 'I',
    kind: 'active',
    sentence: 'Accept unknown error codes.',
  },
  {
    id: 'R-ERR-04',
    bound: 'both',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Answer malformed params of a known method with -32602 and keep the connection.',
  },
  {
    id: 'R-ERR-05',
    bound: 'both',
    level: 'MUST',
    source: 'I',
    kind: 'active',
    sentence: 'Keep the connection alive after an error response.',
  },
  {
    id: 'R-ERR-06',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Report cancellation not as an error when session/cancel was used.',
  },
  {
    id: 'R-ERR-07',
    bound: 'both',
    level: 'SHOULD',
    source: 'I',
    kind: 'passive',
    sentence: 'Put no secrets into message or data.',
    whyNot: { client: 'the kit hands no secret to a client' },
  },
]);
