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
      agent: 'transport not attached: plugs in with the transport that is to be checked',
      client: 'transport not attached: plugs in with the transport that is to be checked',
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
      agent: 'holds for every program that this kit can check at all',
      client: 'holds for every program that this kit can check at all',
    },
  },
]);
