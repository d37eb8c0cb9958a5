import { defineArea } from './requirement.ts';

/** Additional workspace roots. */
export const ADDITIONAL_DIRECTORIES = defineArea('DIR', 'Additional workspace roots', [
  {
    id: 'R-DIR-01',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence:
      'Send `additionalDirectories` only when sessionCapabilities.additionalDirectories is a non-null object.',
  },
  {
    id: 'R-DIR-02',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Send absolute paths only, no empty strings, no nulls.',
  },
  {
    id: 'R-DIR-03',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence:
      'Validate the list before creating, loading or resuming and refuse malformed input with -32602.',
  },
  {
    id: 'R-DIR-04',
    bound: 'agent',
    level: 'MUST NOT',
    source: 'R',
    kind: 'triggered',
    sentence: 'Do not silently drop roots that are refused by policy.',
  },
  {
    id: 'R-DIR-05',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'triggered',
    sentence:
      'Activate exactly the listed roots; omitted or [] means none, also on load and resume.',
    whyNot: {
      agent: 'shows only in what the tools of the agent reach, which no prompt can make certain',
    },
  },
  {
    id: 'R-DIR-06',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'triggered',
    sentence:
      'Treat listed roots as part of the workspace but resolve relative paths only against cwd.',
    whyNot: {
      agent: 'shows only in what the tools of the agent reach, which no prompt can make certain',
    },
  },
  {
    id: 'R-DIR-07',
    bound: 'client',
    level: 'MUST',
    source: 'R',
    kind: 'triggered',
    sentence: "When it mediates file access, enforce the session's root set in fs methods.",
  },
]);
