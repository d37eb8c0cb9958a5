export * from './context/context-record.ts';
export * from './context/context-snapshot.ts';
export * from './context/context-text.ts';
export { parseContextSnapshot } from './context/parse-context-snapshot.ts';
export * from './context/to-context-snapshot.ts';
export * from './core-error.ts';
export { itemTexts } from './json/item-texts.ts';
export * from './journal/cursor.ts';
export * from './journal/journal.ts';
export * from './journal/memory-journal.ts';
export * from './policy/action.ts';
export * from './policy/decide.ts';
export { agentExitText } from './session/agent-exit-text.ts';
export * from './session/content-ref.ts';
export * from './session/effect.ts';
export * from './session/event.ts';
export * from './session/event-text.ts';
export * from './session/ids.ts';
export * from './session/input.ts';
export * from './session/known-prompts.ts';
export * from './session/reduce.ts';
export {
  REFERENCE_BLOCK,
  referenceBlockOf,
  type ReferenceBlock,
} from './session/reference-block.ts';
export * from './session/request-of.ts';
export * from './session/state.ts';
export { decodeState, encodeState } from './session/state-codec.ts';
export { STATE_FORMAT, type StateJson } from './session/state-json.ts';
export { step } from './session/step.ts';
export type { StepResult } from './session/step-result.ts';
export { stringAt } from './session/string-at.ts';
export { takenContentOf, type TakenContent } from './session/taken-content.ts';
export { terminalEndText } from './session/terminal-end-text.ts';
export * from './session/tool-call.ts';
export * from './session/update-of.ts';
export * from './text/printable.ts';
export * from './text/utf8.ts';
export {
  ASKED_BYTES_MAX,
  boundTranscript,
  DELIVERED_BYTES_MAX,
  DELIVERED_ENTRIES_MAX,
  DELIVERED_TEXT_BYTES_MAX,
  TEXT_BYTES_MIN,
  type TranscriptBounds,
} from './transcript/bound-transcript.ts';
export { BoundedTranscript } from './transcript/bounded-transcript.ts';
export * from './transcript/entry.ts';
export { createTranscript, foldTranscript, toTranscript } from './transcript/fold.ts';
export * from './transcript/merge-events.ts';
export { toStoredEntry, toStoredEvent, type StoredEvent } from './transcript/stored-event.ts';
export type { StringReferences } from './transcript/refer-strings.ts';
export type { EntryCut, TextCut } from './transcript/text-cut.ts';
export type { Interruption, ToolCallEntry } from './transcript/tool-call-entry.ts';
export { decodeTranscript, encodeTranscript } from './transcript/transcript-codec.ts';
export { TRANSCRIPT_FORMAT, type TranscriptJson } from './transcript/transcript-json.ts';
export type * from './transcript/transcript.ts';
export { turnText } from './transcript/turn-text.ts';
