import { RawJson } from '@signalbox/acp';
import { withReferences, type ReferenceOptions } from '../session/content-ref.ts';
import { toBlocks } from './blocks.ts';
import type { TranscriptEntry } from './entry.ts';

/**
 * How long strings of a transcript go by reference. That is possible where a string of an entry is one of the event
 * that the entry began with: in a prompt, in what a permission request is about, and in an update of an unknown kind.
 * Other texts are made of several events.
 */
export type StringReferences = Pick<ReferenceOptions, 'inlineBytesMax' | 'digest'>;

/**
 * The entry with references in place of its long strings, as its event has them for a client that wants them so;
 * the very entry if it has none.
 */
export function referStrings(
  entry: TranscriptEntry,
  references: StringReferences,
): TranscriptEntry {
  // The references would be to what is not there any more.
  if (entry.cut !== undefined) return entry;
  const options = { ...references, seq: entry.firstSeq };
  switch (entry.kind) {
    case 'user_message': {
      if (entry.promptId === undefined) return entry;
      const content = new RawJson(JSON.stringify(entry.blocks));
      const referring = refer(content, { ...options, at: ['data', 'content'] });
      return referring === content ? entry : { ...entry, blocks: toBlocks(referring) };
    }
    case 'permission': {
      const { rawInput } = entry.action;
      if (rawInput === undefined) return entry;
      const referring = refer(rawInput, { ...options, at: ['data', 'action', 'rawInput'] });
      if (referring === rawInput) return entry;
      return { ...entry, action: { ...entry.action, rawInput: referring } };
    }
    case 'unknown_update': {
      const raw = refer(entry.raw, { ...options, at: ['data', 'update'] });
      return raw === entry.raw ? entry : { ...entry, raw };
    }
    default:
      return entry;
  }
}

function refer(json: RawJson, options: ReferenceOptions): RawJson {
  if (json.text.length <= options.inlineBytesMax) return json;
  const { text, refs } = withReferences(json.text, options);
  return refs.length === 0 ? json : new RawJson(text);
}
