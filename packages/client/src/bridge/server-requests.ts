import { withIdText } from './frame-edits.ts';

/**
 * Requests of the server that the editor has not answered. Every connection counts its ids anew, so the
 * editor is given ids of our own: an answer to a request of a lost connection must not reach another one.
 */
export class ServerRequests {
  readonly #open = new Map<string, string>();
  #count = 0;

  /** A request as the editor sees it. */
  take(frame: string, idText: string): string {
    const ownId = String(++this.#count);
    this.#open.set(ownId, idText);
    return withIdText(frame, ownId);
  }

  /** An answer of the editor as the server waits for it; undefined when nobody waits any more. */
  answer(frame: string, ownId: string): string | undefined {
    const idText = this.#open.get(ownId);
    if (idText === undefined) return undefined;
    this.#open.delete(ownId);
    return withIdText(frame, idText);
  }

  /** The id under which the editor knows a request of the server. */
  ownIdOf(idText: string): string | undefined {
    for (const [ownId, known] of this.#open) if (known === idText) return ownId;
    return undefined;
  }

  /** The connection is lost, and with it whoever asked. @returns the ids of what the editor may forget. */
  giveUp(): string[] {
    const ids = [...this.#open.keys()];
    this.#open.clear();
    return ids;
  }
}
