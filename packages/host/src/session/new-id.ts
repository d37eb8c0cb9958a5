import { randomBytes } from 'node:crypto';
import type { PermissionId, PromptId, SessionId, TurnId } from '@signalbox/core';

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new session id: sorts by time, and cannot be guessed (60 random bits). */
export function newSessionId(now: number): SessionId {
  const time = new Date(now).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomText(12)}` as SessionId;
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
