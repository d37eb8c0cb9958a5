import { ClientError } from '../client-error.ts';

const PATTERN = /^[A-Za-z0-9_-]{8,64}$/;

/** A name that nobody else gives, for a prompt or a client. Made without `crypto.randomUUID`, which needs HTTPS. */
export function createName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** @throws ClientError `invalid_argument` when the server would not take it. */
export function assertPromptId(promptId: string): void {
  if (PATTERN.test(promptId)) return;
  const message = `a prompt id has 8 to 64 letters, digits, "-" or "_", not "${promptId.slice(0, 80)}"`;
  throw new ClientError('invalid_argument', message);
}
