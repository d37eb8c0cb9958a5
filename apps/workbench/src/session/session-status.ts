import type { EndReason, RemoteSession } from '@signalbox/client';
import { timeText } from '../content/texts.ts';

/** What the session is doing, in a line. */
export function sessionStatus(session: RemoteSession, ended: EndReason | undefined): string {
  const { turn } = session.view;
  if (ended !== undefined) return `This session has ended here: ${ended}.`;
  if (!session.isAttached) return 'What happens now is shown when the connection is back.';
  if (turn.kind === 'idle') return 'Ready';
  if (turn.cancel !== undefined) return 'Stopping…';
  if (session.permissions.length > 0) return 'The agent waits for your answer.';
  return `Working since ${timeText(turn.startedAt, Date.now())}`;
}
