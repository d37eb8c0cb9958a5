import { defineArea } from './requirement.ts';

/** Compaction updates. */
export const COMPACTION = defineArea('CMP', 'Compaction updates', [
  {
    id: 'R-CMP-01',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'D',
    kind: 'passive',
    sentence:
      'Do not send compaction_update or compaction_summary_chunk unless the client sent session.compaction as a non-null object.',
  },
  {
    id: 'R-CMP-02',
    bound: 'agent',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence: 'Give compactionId and status in each compaction_update.',
  },
  {
    id: 'R-CMP-03',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'passive',
    sentence: 'After in_progress, send exactly one terminal status.',
  },
  {
    id: 'R-CMP-04',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'passive',
    sentence: 'Send summary chunks only between in_progress and the terminal update.',
  },
  {
    id: 'R-CMP-05',
    bound: 'client',
    level: 'MUST',
    source: 'S',
    kind: 'active',
    sentence:
      'Patch the entity: summary, error, _meta omitted = unchanged, null = cleared, value = replaced; `summary: []` clears; chunks append in order.',
  },
  {
    id: 'R-CMP-06',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'R',
    kind: 'passive',
    sentence:
      'Do not give a non-empty summary with another status than completed, or an error with another than failed, or text not meant for users.',
  },
  {
    id: 'R-CMP-07',
    bound: 'client',
    level: 'MUST',
    source: 'S',
    kind: 'active',
    sentence: 'Keep unknown statuses as opaque values.',
  },
]);
