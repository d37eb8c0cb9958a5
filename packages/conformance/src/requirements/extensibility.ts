import { defineArea } from './requirement.ts';

/** Extensibility. */
export const EXTENSIBILITY = defineArea('EXT', 'Extensibility', [
  {
    id: 'R-EXT-01',
    bound: 'both',
    level: 'MUST NOT',
    source: 'D',
    kind: 'passive',
    sentence: 'Do not add own members at the root of spec types; use `_meta`.',
  },
  {
    id: 'R-EXT-02',
    bound: 'both',
    level: 'MUST NOT',
    source: 'S',
    kind: 'active',
    sentence: 'Do not assume anything about values under `_meta` keys.',
  },
  {
    id: 'R-EXT-03',
    bound: 'both',
    level: 'SHOULD',
    source: 'D',
    kind: 'passive',
    sentence: 'Keep root keys traceparent, tracestate and baggage for W3C trace context.',
  },
  {
    id: 'R-EXT-04',
    bound: 'both',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Start custom method names with `_`.',
  },
  {
    id: 'R-EXT-05',
    bound: 'both',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Answer custom requests with the given id; unknown ones with -32601.',
  },
  {
    id: 'R-EXT-06',
    bound: 'both',
    level: 'SHOULD',
    source: 'D',
    kind: 'active',
    sentence: 'Ignore unknown custom notifications.',
  },
  {
    id: 'R-EXT-07',
    bound: 'both',
    level: 'SHOULD',
    source: 'D',
    kind: 'passive',
    sentence: 'Announce extensions in `_meta` of capability objects, under a vendor key.',
  },
  {
    id: 'R-EXT-08',
    bound: 'both',
    level: 'MUST NOT',
    source: 'I',
    kind: 'passive',
    sentence: 'Do not invent values for closed enums.',
    whyNot: {
      client:
        'the closed sets that clients choose from are judged one by one, in R-PER-04 and R-ELI-07',
    },
  },
  {
    id: 'R-EXT-09',
    bound: 'both',
    level: 'SHOULD',
    source: 'R',
    kind: 'active',
    sentence: 'Preserve `_meta` and unknown data when storing, proxying or replaying.',
    whyNot: {
      agent: 'is about programs that store or pass on what others sent',
      client: 'is about programs that store or pass on what others sent',
    },
  },
]);
