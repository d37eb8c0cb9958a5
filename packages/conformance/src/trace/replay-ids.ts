import { RawJson, withMembers } from '@signalbox/acp';

/**
 * Ids that one side makes up and the other one repeats: they differ between a recording and a living
 * connection, and are put in place of each other by the name of the member that carries them.
 */
export class ReplayIds {
  readonly #replacements = new Map<string, string>();

  /** Notes that a recorded id is another one now. Values that are no strings are ignored. */
  learn(member: string, recorded: unknown, live: unknown): void {
    if (typeof recorded !== 'string' || typeof live !== 'string') return;
    const key = JSON.stringify([member, recorded]);
    if (recorded === live) this.#replacements.delete(key);
    else this.#replacements.set(key, live);
  }

  /** The text of a message with the ids of now; everything else keeps its exact text. */
  apply(text: string): string {
    let changed = text;
    for (const [key, live] of this.#replacements) {
      const [member, recorded] = JSON.parse(key) as [string, string];
      // A quote that is escaped stands inside of a string and begins no member.
      const place = `(?<!\\\\)(${escape(JSON.stringify(member))}\\s*:\\s*)${escape(JSON.stringify(recorded))}`;
      changed = changed.replaceAll(
        new RegExp(place, 'g'),
        (_, head: string) => head + JSON.stringify(live),
      );
    }
    return changed;
  }
}

/** The same message with another id, given as its exact text. */
export function withId(text: string, idText: string): string {
  return withMembers(new RawJson(text), { id: new RawJson(idText) }).text;
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
