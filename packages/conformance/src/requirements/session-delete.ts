import { defineArea } from './requirement.ts';

/** session/delete. */
export const SESSION_DELETE = defineArea('DEL', 'session/delete', [
  {
    id: 'R-DEL-01',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Call session/delete only when sessionCapabilities.delete is a non-null object.',
  },
  {
    id: 'R-DEL-02',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Return an empty object and leave the session out of later lists.',
  },
  {
    id: 'R-DEL-03',
    bound: 'agent',
    level: 'SHOULD',
    source: 'D',
    kind: 'active',
    sentence: 'Succeed silently for sessions that are already deleted or never existed.',
  },
  {
    id: 'R-DEL-04',
    bound: 'both',
    level: 'MAY',
    source: 'D',
    kind: 'active',
    sentence: 'Deleting an active session, and soft or hard deletion, are implementation-defined.',
    whyNot: { client: 'permits everything; there is nothing that a client could do wrong' },
  },
]);
