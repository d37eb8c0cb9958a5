import type { EventOf } from '../session/event.ts';
import { requestOf } from '../session/request-of.ts';
import { closeMessage, placeOf, push, type Draft } from './draft.ts';
import type { PermissionEntry } from './entry.ts';
import { foldToolCall, interruptToolCall } from './tool-calls.ts';

/** A request for leave: news about its tool call, and an entry of its own. */
export function foldPermissionRequested(
  draft: Draft,
  seq: number,
  event: EventOf<'permission.requested'>,
): void {
  const { permissionId, toolCall: raw, action, deadline } = event.data;
  const { toolCall, options } = requestOf(event);
  const stored = { seq, event };
  const call =
    toolCall === undefined ? undefined : foldToolCall(draft, stored, 'permission', toolCall, raw);
  closeMessage(draft);
  const position = push(draft, {
    ...placeOf('permission', stored),
    kind: 'permission',
    permissionId,
    action,
    options,
    ...(call === undefined ? {} : { toolCallEntryId: call.entryId }),
    ...(deadline === undefined ? {} : { deadline }),
  });
  draft.index.permissions.set(permissionId, { position, call: call?.position });
}

/** What became of a request. A tool call that was refused is over, unless its agent says otherwise. */
export function foldPermissionResolved(
  draft: Draft,
  seq: number,
  event: EventOf<'permission.resolved'>,
): void {
  const { permissionId, outcome, by, withdrawal } = event.data;
  const waiting = draft.index.permissions.get(permissionId);
  if (waiting === undefined) return;
  draft.index.permissions.delete(permissionId);
  const entry = draft.entries[waiting.position] as PermissionEntry;
  const resolved: PermissionEntry = {
    ...entry,
    lastSeq: seq,
    outcome,
    by,
    ...(withdrawal === undefined ? {} : { withdrawal }),
  };
  draft.entries[waiting.position] = resolved;
  if (waiting.call !== undefined && isDenied(resolved)) {
    interruptToolCall(draft, seq, 'denied', waiting.call);
  }
}

/** Whether somebody said no, as opposed to the request having been withdrawn. */
function isDenied({ outcome, options, withdrawal }: PermissionEntry): boolean {
  if (outcome?.kind !== 'selected') return withdrawal === 'no_fitting_option';
  const option = options.find(({ optionId }) => optionId === outcome.optionId);
  return option !== undefined && option.kind.startsWith('reject');
}
