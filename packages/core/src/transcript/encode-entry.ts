import type { TranscriptEntry } from './entry.ts';
import type { EntryJson } from './transcript-json.ts';

/** An entry as a JSON value. */
export function encodeEntry(entry: TranscriptEntry): EntryJson {
  switch (entry.kind) {
    case 'tool_call': {
      const { rawInput, rawOutput, ...rest } = entry;
      return {
        ...rest,
        ...(rawInput === undefined ? {} : { rawInput: rawInput.text }),
        ...(rawOutput === undefined ? {} : { rawOutput: rawOutput.text }),
      };
    }
    case 'permission': {
      const { rawInput, ...action } = entry.action;
      const text = rawInput === undefined ? {} : { rawInput: rawInput.text };
      return { ...entry, action: { ...action, ...text } };
    }
    case 'unknown_update':
      return { ...entry, raw: entry.raw.text };
    default:
      return entry;
  }
}
