import { defineArea } from './requirement.ts';

/** Custom transports. */
export const CUSTOM_TRANSPORTS = defineArea('TRX', 'Custom transports', [
  {
    id: 'R-TRX-01',
    bound: 'both',
    level: 'MAY',
    source: 'D',
    kind: 'passive',
    sentence: 'Use other transports that carry messages both ways.',
    whyNot: { agent: 'permits everything', client: 'permits everything' },
  },
  {
    id: 'R-TRX-02',
    bound: 'both',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Keep JSON-RPC format and ACP lifecycle on custom transports.',
    whyNot: {
      agent: 'draft transports are judged by R-HTTP and R-WS, others are not known to the kit',
      client: 'draft transports are judged by R-HTTP and R-WS, others are not known to the kit',
    },
  },
  {
    id: 'R-TRX-03',
    bound: 'both',
    level: 'SHOULD',
    source: 'D',
    kind: 'passive',
    sentence: 'Support stdio whenever possible.',
    whyNot: {
      agent: 'what a program offers beside the transport that it is checked over does not show',
      client: 'what a program offers beside the transport that it is checked over does not show',
    },
  },
]);
