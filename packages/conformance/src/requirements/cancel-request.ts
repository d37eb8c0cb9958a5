import { defineArea } from './requirement.ts';

/** $/cancel_request. */
export const CANCEL_REQUEST = defineArea('CRQ', '$/cancel_request', [
  {
    id: 'R-CRQ-01',
    bound: 'both',
    level: 'MAY',
    source: 'D',
    kind: 'active',
    sentence:
      "Cancel one of one's own outstanding requests by the notification `$/cancel_request` with `requestId`.",
  },
  {
    id: 'R-CRQ-02',
    bound: 'both',
    level: 'MAY',
    source: 'D',
    kind: 'active',
    sentence: 'Support is optional: a receiver may ignore it.',
  },
  {
    id: 'R-CRQ-03',
    bound: 'both',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence:
      'If supported, still answer the original request: with a valid (perhaps partial) result or with -32800.',
  },
  {
    id: 'R-CRQ-04',
    bound: 'both',
    level: 'MAY',
    source: 'D',
    kind: 'passive',
    sentence: 'Cancel nested work and flush pending notifications before answering.',
    whyNot: {
      agent: 'permits both ways; what is nested does not show on the wire',
      client: 'permits both ways; what is nested does not show on the wire',
    },
  },
  {
    id: 'R-CRQ-05',
    bound: 'both',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence: 'Ignore it when the id is unknown or the request is already answered.',
  },
  {
    id: 'R-CRQ-06',
    bound: 'both',
    level: 'SHOULD',
    source: 'D',
    kind: 'passive',
    sentence: 'Use -32800 also when the executing side cancels by itself (shutdown, limits).',
  },
  {
    id: 'R-CRQ-07',
    bound: 'both',
    level: 'MAY',
    source: 'D',
    kind: 'active',
    sentence:
      'Wait for the response after cancelling, and accept a normal result that won the race.',
  },
  {
    id: 'R-CRQ-08',
    bound: 'agent',
    level: 'MUST',
    source: 'I',
    kind: 'active',
    sentence:
      'If session/prompt itself is cancelled this way and the agent supports it, end the turn and answer with stopReason cancelled or -32800.',
  },
  {
    id: 'R-CRQ-09',
    bound: 'both',
    level: 'MAY',
    source: 'R',
    kind: 'active',
    sentence: 'Ignore any other notification that starts with `$/`.',
  },
]);
