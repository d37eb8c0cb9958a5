import { defineArea } from './requirement.ts';

/** session/resume. */
export const SESSION_RESUME = defineArea('RSM', 'session/resume', [
  {
    id: 'R-RSM-01',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Call session/resume only when sessionCapabilities.resume is a non-null object.',
  },
  {
    id: 'R-RSM-02',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Send sessionId and cwd, plus the MCP servers to connect.',
  },
  {
    id: 'R-RSM-03',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'D',
    kind: 'triggered',
    sentence: 'Do not replay history before answering.',
  },
  {
    id: 'R-RSM-04',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'triggered',
    sentence: 'Restore context so that the next prompt continues the conversation.',
  },
  {
    id: 'R-RSM-05',
    bound: 'agent',
    level: 'MAY',
    source: 'D',
    kind: 'passive',
    sentence: 'Return modes and configOptions in the result.',
  },
  {
    id: 'R-RSM-06',
    bound: 'agent',
    level: 'SHOULD',
    source: 'I',
    kind: 'active',
    sentence: 'Fail with -32002 for unknown sessions.',
  },
]);
