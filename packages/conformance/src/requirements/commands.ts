import { defineArea } from './requirement.ts';

/** Slash commands. */
export const COMMANDS = defineArea('CMD', 'Slash commands', [
  {
    id: 'R-CMD-01',
    bound: 'agent',
    level: 'MAY',
    source: 'D',
    kind: 'passive',
    sentence:
      'Advertise commands by available_commands_update after session creation and whenever they change.',
  },
  {
    id: 'R-CMD-02',
    bound: 'client',
    level: 'MUST',
    source: 'I',
    kind: 'active',
    sentence: 'Take each update as the full new list.',
    whyNot: { client: 'shows only in what the client displays' },
  },
  {
    id: 'R-CMD-03',
    bound: 'agent',
    level: 'SHOULD',
    source: 'I',
    kind: 'passive',
    sentence: 'Give names without the leading slash, without spaces, unique.',
  },
  {
    id: 'R-CMD-04',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'active',
    sentence: 'Run a command as ordinary prompt text `/name args`; other blocks may accompany it.',
  },
  {
    id: 'R-CMD-05',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'triggered',
    sentence: 'Recognise the prefix and run the command with the text after the name as input.',
  },
  {
    id: 'R-CMD-06',
    bound: 'agent',
    level: 'SHOULD',
    source: 'I',
    kind: 'triggered',
    sentence: 'Treat unknown `/x` as normal text or say so, without error.',
  },
]);
