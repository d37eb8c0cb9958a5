import type { ModelToolCall } from '../model/model.ts';

const TITLE_LENGTH_MAX = 120;
const TELLING_MEMBERS = ['path', 'from', 'command', 'text'];

/** A title for a call whose input has not been checked yet. */
export function announcedTitle(call: ModelToolCall): string {
  const verb = call.name.charAt(0).toUpperCase() + call.name.slice(1);
  if (typeof call.input !== 'object' || call.input === null) return verb;
  const input = call.input as Readonly<Record<string, unknown>>;
  const telling = TELLING_MEMBERS.map((name) => input[name]).find((value) => {
    return typeof value === 'string' && value !== '';
  });
  if (telling === undefined) return verb;
  const title = `${verb} ${telling as string}`.replace(/\s+/g, ' ');
  return title.length > TITLE_LENGTH_MAX ? `${title.slice(0, TITLE_LENGTH_MAX)}…` : title;
}
