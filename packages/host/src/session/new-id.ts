import { randomBytes } from 'node:crypto';
import type { PermissionId, PromptId, SessionId, TurnId } from '@signalbox/core';

/** Letters and digits that are not mistaken for each other, in their order as text. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new session id: sorts by time to the millisecond, so that the last session is the one that was made last,
 * and cannot be guessed (50 random bits). It shows the second; the rest is in the two characters behind it.
 */
export function newSessionId(now: number): SessionId {
  const time = new Date(now).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const milliseconds = new Date(now).getUTCMilliseconds();
  const rest = `${ALPHABET[milliseconds >> 5]}${ALPHABET[milliseconds & 31]}`;
  return `${time}-${rest}${randomText(10)}` as SessionId;
}

export function newTurnId(): TurnId {
  return `turn-${randomText(12)}` as TurnId;
}

export function newPromptId(): PromptId {
  return `prompt-${randomText(12)}` as PromptId;
}

export function newPermissionId(): PermissionId {
  return `permission-${randomText(12)}` as PermissionId;
}

/** A name for one answer to a permission request. */
export function newAnswerId(): string {
  return `answer-${randomText(12)}`;
}

/** Five random bits a character. */
function randomText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += ALPHABET[byte % 32] ?? '';
  return text;
}
