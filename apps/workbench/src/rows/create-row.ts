import type { TranscriptEntry } from '@signalbox/core';
import { MessageRow } from './message-row.ts';
import { NoteRow } from './note-row.ts';
import { PermissionRow } from './permission-row.ts';
import type { Row } from './row.ts';
import { ThoughtRow } from './thought-row.ts';
import { ToolCallRow } from './tool-call-row.ts';

/** Makes the row of an entry. An entry never changes its kind. */
export function createRow({ kind }: TranscriptEntry): Row {
  switch (kind) {
    case 'user_message':
    case 'agent_message':
      return new MessageRow();
    case 'thought':
      return new ThoughtRow();
    case 'tool_call':
      return new ToolCallRow();
    case 'permission':
      return new PermissionRow();
    default:
      return new NoteRow();
  }
}
