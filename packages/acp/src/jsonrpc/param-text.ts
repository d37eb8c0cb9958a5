import { memberText } from './member-text.ts';
import type { NotificationMessage, RequestMessage } from './message.ts';
import { RepeatedNotification } from './repeated-notification.ts';

/**
 * The exact text of one member of a message's params; undefined if there is none. Where the message was
 * decoded by a pattern the member's place is known, and the text is not searched.
 */
export function paramText(
  message: NotificationMessage | RequestMessage,
  key: string,
): string | undefined {
  const known = message instanceof RepeatedNotification ? message.varyingText(key) : undefined;
  return known ?? memberText(message.text, 'params', key);
}
