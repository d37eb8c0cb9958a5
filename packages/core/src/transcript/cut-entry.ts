import { RawJson } from '@signalbox/acp';
import { endOfText } from '../text/end-of-text.ts';
import { utf8Length } from '../text/utf8.ts';
import { toBlocks } from './blocks.ts';
import { endOfItems } from './cut-items.ts';
import type { TranscriptEntry } from './entry.ts';
import { addCuts, type EntryCut, type TextCut } from './text-cut.ts';
import type { QueuedPromptView, TerminalView } from './transcript.ts';

/** Stands for JSON that was left out where there has to be some. */
const NOTHING = new RawJson('null', null);

/**
 * The entry with at most `bytesMax` UTF-8 bytes of each of its texts, and with a mark of what was left out; the
 * very entry if nothing was.
 */
export function cutEntry(entry: TranscriptEntry, bytesMax: number): TranscriptEntry {
  switch (entry.kind) {
    case 'user_message':
    case 'agent_message':
    case 'thought':
    case 'prompt_dropped': {
      const { items: blocks, cut } = endOfItems(entry.blocks, bytesMax);
      return cut === undefined ? entry : { ...entry, blocks, ...marked(entry, 'blocks', cut) };
    }
    case 'compaction': {
      const { items: summary, cut } = endOfItems(entry.summary, bytesMax);
      return cut === undefined ? entry : { ...entry, summary, ...marked(entry, 'summary', cut) };
    }
    case 'tool_call': {
      const { items: content, cut } = endOfItems(entry.content, bytesMax);
      const call =
        cut === undefined ? entry : { ...entry, content, ...marked(entry, 'content', cut) };
      return withoutJson(withoutJson(call, 'rawInput', bytesMax), 'rawOutput', bytesMax);
    }
    case 'permission': {
      const { rawInput, ...action } = entry.action;
      const cut = rawInput && jsonCut(rawInput, bytesMax);
      return cut === undefined ? entry : { ...entry, action, ...marked(entry, 'rawInput', cut) };
    }
    case 'unknown_update': {
      const cut = jsonCut(entry.raw, bytesMax);
      return cut === undefined ? entry : { ...entry, raw: NOTHING, ...marked(entry, 'raw', cut) };
    }
    case 'notice': {
      const { text, leftOut } = endOfText(entry.description ?? '', bytesMax);
      if (leftOut === 0) return entry;
      const cut = { bytes: leftOut, items: 0 };
      return { ...entry, description: text, ...marked(entry, 'description', cut) };
    }
    // These have no content: what they say is a line.
    case 'turn_end':
    case 'agent_started':
    case 'agent_exited':
      return entry;
  }
}

/** The same for a command and its output. */
export function cutTerminal(terminal: TerminalView, bytesMax: number): TerminalView {
  const { exit } = terminal;
  // One UTF-16 unit is at most three bytes.
  if (exit === undefined || exit.output.length * 3 <= bytesMax) return terminal;
  const { text: output, leftOut } = endOfText(exit.output, bytesMax);
  if (leftOut === 0) return terminal;
  const cut = addCuts(exit.cut, { bytes: leftOut, items: 0 });
  return { ...terminal, exit: { ...exit, output, cut } };
}

/** The same for a prompt that waits. */
export function cutQueued(prompt: QueuedPromptView, bytesMax: number): QueuedPromptView {
  // A block is never longer as it is than in its JSON.
  if (jsonCut(prompt.content, bytesMax) === undefined) return prompt;
  const { items, cut } = endOfItems(toBlocks(prompt.content), bytesMax);
  if (cut === undefined) return prompt;
  const content = new RawJson(JSON.stringify(items), items);
  return { ...prompt, content, cut: addCuts(prompt.cut, cut) };
}

function withoutJson<
  K extends 'rawInput' | 'rawOutput',
  T extends { readonly [Member in K]?: RawJson } & { readonly cut?: EntryCut },
>(entry: T, member: K, bytesMax: number): T {
  const { [member]: raw, ...rest } = entry;
  const cut = raw && jsonCut(raw, bytesMax);
  return cut === undefined ? entry : ({ ...rest, ...marked(entry, member, cut) } as T);
}

/** What it means to leave JSON out; undefined when there is room for it. */
function jsonCut({ text }: RawJson, bytesMax: number): TextCut | undefined {
  if (text.length * 3 <= bytesMax) return undefined;
  const bytes = utf8Length(text);
  return bytes <= bytesMax ? undefined : { bytes, items: 0 };
}

function marked(
  { cut }: { readonly cut?: EntryCut },
  member: keyof EntryCut,
  more: TextCut,
): { readonly cut: EntryCut } {
  return { cut: { ...cut, [member]: addCuts(cut?.[member], more) } };
}
