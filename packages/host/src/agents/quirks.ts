/** What an agent does that a client would not expect, and what the host does about it. */
export interface QuirkText {
  readonly agent: string;
  readonly host: string;
}

/**
 * Every quirk that is known, by name. An agent of the catalogue lists its own; `tests/host/quirks.test.ts`
 * shows for each that the host copes. Where the host has to behave in another way than usual it asks
 * {@link hasQuirk}; all others it survives from whatever agent they come.
 */
export const QUIRKS = {
  'asks-nobody-by-default': {
    agent: 'Changes files and runs commands without asking, unless it is told to ask.',
    host: 'Shows its tool calls; what it does inside its own process cannot be held back.',
  },
  'calls-write-without-capability': {
    agent:
      'Calls fs/write_text_file also when no file system was offered, and writes by itself too.',
    host: 'Offers files to every agent, and serves the write as any other, inside of the folder.',
  },
  'cancelled-without-cancel': {
    agent: 'Ends the turn as cancelled when a permission is rejected.',
    host: 'Records the stop reason as it came; the log shows who rejected what.',
  },
  'detached-daemon': {
    agent: 'Leaves a process of its own group running when it ends.',
    host: 'Finds it by the mark of the session in its environment and ends it.',
  },
  'errors-as-text': {
    agent: 'Tells a failure of its model as text, or not at all, and ends the turn as end_turn.',
    host: 'Records the turn as the agent ended it; text is never guessed at.',
  },
  'extension-methods-without-underscore': {
    agent: 'Sends requests and notifications of its own whose names have no leading underscore.',
    host: 'Answers "Method not found" to the requests and ignores the notifications.',
  },
  'first-call-by-permission': {
    agent:
      'Names a tool call for the first time in a permission request, often without any tool_call.',
    host: 'Makes the tool call from whatever names it first.',
  },
  'http-error-codes': {
    agent: 'Answers errors with HTTP statuses as codes and JSON texts as messages.',
    host: 'Fails the turn with the code and the text as they came.',
  },
  'keeps-running-after-eof': {
    agent: 'Does not end when its input ends.',
    host: 'Sends SIGTERM to its process group after a grace, and SIGKILL after another.',
  },
  'large-lines': {
    agent: 'Sends messages of half a megabyte and more in one line.',
    host: 'Takes lines of up to 64 MiB.',
  },
  'load-wipes-fresh-session': {
    agent: 'Loses a session that is loaded within the minute in which it was made.',
    host: 'Makes a new session then, and tells it what was said.',
  },
  'loads-unknown-sessions': {
    agent: 'Answers session/load of a session that it does not have as if it had loaded it.',
    host: 'Does not believe a load that replays nothing, and tells a new session what was said.',
  },
  'missing-file-reads-empty': {
    agent: 'Reads a file before it creates it, and gives up on any error of fs/read_text_file.',
    host: 'Answers fs/read_text_file of a missing file with the empty text.',
  },
  'never-ends-tool-calls': {
    agent: 'Leaves tool calls pending or in progress when its turn ends.',
    host: 'Shows them as interrupted when the turn ends.',
  },
  'no-cancelled-stop-reason': {
    agent: 'Ends a cancelled turn as end_turn.',
    host: 'Records the stop reason as it came; the log says that the turn was cancelled.',
  },
  'no-overlapping-prompts': {
    agent: 'Cancels, merges or never answers a prompt when a second one comes during its turn.',
    host: 'Sends one prompt at a time; the others wait in the session.',
  },
  'own-terminals': {
    agent: 'Shows terminals in tool calls that it never created through the client.',
    host: 'Keeps the tool call; a terminal that it does not have shows nothing.',
  },
  'relative-diff-paths': {
    agent: 'Names files in diffs by paths relative to the working directory.',
    host: 'Shows them as they are; they are never used to open a file.',
  },
  'replays-after-load': {
    agent: 'Answers session/load first and goes on replaying the history behind the answer.',
    host: 'Waits until it has been quiet before it takes an update for news.',
  },
  'resume-advertised-but-missing': {
    agent: 'Announces session/resume and answers it with "Method not found".',
    host: 'Restores the session in another way.',
  },
  'reuses-tool-call-ids': {
    agent: 'Uses the ids of earlier tool calls again in later turns.',
    host: 'Takes an announcement in another turn for a new call.',
  },
  'shell-line-terminals': {
    agent: 'Creates terminals without a folder and with a whole shell line as the command.',
    host: "Runs the line with /bin/sh in the session's folder.",
  },
  'swallows-prompt-after-cancel': {
    agent: 'Answers the prompt behind a cancelled or failed one with end_turn and nothing else.',
    host: 'Records the empty turn; the prompt can be sent again.',
  },
  'tool-update-before-tool-call': {
    agent: 'Sends tool_call_update before the tool_call of the same call, or tool_call twice.',
    host: 'Merges all of them into one tool call.',
  },
  'updates-before-session-response': {
    agent: 'Sends updates of a session before the response that names the session.',
    host: 'Takes them for the session that is being made.',
  },
} as const satisfies Record<string, QuirkText>;

/** The name of a quirk. */
export type Quirk = keyof typeof QUIRKS;

/** A quirk with what there is to say about it. */
export interface KnownQuirk extends QuirkText {
  readonly name: Quirk;
}

/** Quirks by their names, as the catalogue lists them. */
export function quirks(...names: Quirk[]): KnownQuirk[] {
  return names.map((name) => ({ name, ...QUIRKS[name] }));
}

/** Whether an agent is known to have a quirk. Agents that are not in the catalogue have none. */
export function hasQuirk(entry: { readonly quirks?: readonly Quirk[] }, quirk: Quirk): boolean {
  return entry.quirks?.includes(quirk) ?? false;
}
