import { membersOf } from '../json/scan-json.ts';
import type { EventOf } from '../session/event.ts';
import { updateOf } from '../session/update-of.ts';
import type { Burst } from './burst.ts';
import { listProblem } from './updates.ts';

/** What an update says. */
interface News {
  readonly event: EventOf<'update'>;
  /** Its members as they came. */
  readonly texts: ReadonlyMap<string, string>;
  /** Its members as they are folded: what does not fit the protocol is not among them. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** The updates of which the last one may stand for all, and the members that are known of them. */
const MEMBERS: ReadonlyMap<string | undefined, ReadonlySet<string>> = new Map([
  [
    '"tool_call_update"',
    new Set([
      ...['sessionUpdate', 'toolCallId', 'title', 'name', 'kind', 'status', 'content'],
      ...['locations', 'rawInput', 'rawOutput', '_meta'],
    ]),
  ],
  ['"usage_update"', new Set(['sessionUpdate', 'used', 'size', 'cost', '_meta'])],
  ['"plan"', new Set(['sessionUpdate', 'entries', '_meta'])],
]);

/** Members that have to be the same. */
const SAME = ['sessionUpdate', 'toolCallId', 'status'];

/** Begins to keep the last of several news. @returns undefined when the event is not that sort of news. */
export function startLatestBurst(event: EventOf<'update'>): Burst | undefined {
  const first = newsOf(event);
  return first && new LatestBurst(first);
}

class LatestBurst implements Burst {
  readonly isFull = false;
  readonly #time: number;
  #latest: News;

  constructor(first: News) {
    this.#time = first.event.time;
    this.#latest = first;
  }

  take(event: EventOf<'update'>): boolean {
    const next = newsOf(event);
    if (next === undefined || !supersedes(next, this.#latest)) return false;
    this.#latest = next;
    return true;
  }

  toEvent(): EventOf<'update'> {
    const { event } = this.#latest;
    return event.time === this.#time ? event : { ...event, time: this.#time };
  }
}

function newsOf(event: EventOf<'update'>): News | undefined {
  const { update: raw, by } = event.data;
  const texts = membersOf(raw.text);
  const known = MEMBERS.get(texts.get('sessionUpdate'));
  if (known === undefined || by !== undefined) return undefined;
  for (const key of texts.keys()) if (!known.has(key)) return undefined;
  const update = updateOf(event);
  if (update === undefined || listProblem(update, raw) !== undefined) return undefined;
  return { event, texts, values: new Map(Object.entries(update)) };
}

/** Whether nothing is lost, in the fold and for whoever reads the texts, when only the later is there. */
function supersedes(later: News, earlier: News): boolean {
  if (later.event.turnId !== earlier.event.turnId) return false;
  if (SAME.some((key) => later.texts.get(key) !== earlier.texts.get(key))) return false;
  // A title can make it news about another call with this id.
  if (isFolded(later, 'title') !== isFolded(earlier, 'title')) return false;
  for (const [key, text] of earlier.texts) {
    if (text === 'null') continue;
    const next = later.texts.get(key);
    if (next === undefined || next === 'null') return false;
    if (isFolded(earlier, key) && !isFolded(later, key)) return false;
    if (key === '_meta' && !hasAllKeys(next, text)) return false;
  }
  return true;
}

function isFolded({ texts, values }: News, key: string): boolean {
  // A kind that the protocol does not know is folded all the same.
  if (key === 'kind') return texts.get(key)?.startsWith('"') === true;
  return values.get(key) != null;
}

function hasAllKeys(later: string, earlier: string): boolean {
  const keys = membersOf(later);
  return [...membersOf(earlier).keys()].every((key) => keys.has(key));
}
