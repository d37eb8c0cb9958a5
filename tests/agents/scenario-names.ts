/** The scenarios, in the order in which they run and are shown. */
export const SCENARIO_NAMES = [
  'text',
  'tool',
  'reject',
  'cancel',
  'edit',
  'create',
  'thoughts',
  'plan',
  'error',
  'resume',
  'end',
] as const;

/** The name of a scenario. */
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** What a scenario proves, in a sentence. */
export const SCENARIO_TITLES: Readonly<Record<ScenarioName, string>> = {
  text: 'The agent starts and answers a prompt with text.',
  tool: 'It asks for leave, gets it, and runs a shell command.',
  reject: 'It asks for leave, is refused, and runs nothing.',
  cancel:
    'A cancel during a streamed answer ends the turn as cancelled, and the next prompt works.',
  edit: 'An edit of a file arrives on disk.',
  create: 'A new file arrives on disk.',
  thoughts: 'Reasoning of the model arrives as thoughts.',
  plan: 'A plan arrives.',
  error: 'An error of the model ends the turn, and the next prompt works.',
  resume: 'A second process goes on with the session, and the model knows what was said before.',
  end: 'No process of the agent is left when the session is closed.',
};
