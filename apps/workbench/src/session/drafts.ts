/** What somebody has written and not yet handed over, per session. */
export interface Draft {
  readonly text: string;
  /**
   * The prompt's name, once an attempt was made to send this very text: whoever sends it again, also after
   * the page was loaded anew, joins that prompt and runs nothing twice (B154).
   */
  readonly promptId?: string;
}

const PREFIX = 'signalbox-draft-';

/** Drafts that outlive a lost connection, another session being looked at, and the page (B178). */
export class Drafts {
  readonly #storage: Storage | undefined;
  readonly #drafts = new Map<string, Draft>();

  /** @param storage undefined where the browser allows none: then drafts live as long as the page. */
  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  get(sessionId: string): Draft {
    return this.#drafts.get(sessionId) ?? this.#read(sessionId) ?? { text: '' };
  }

  set(sessionId: string, draft: Draft): void {
    this.#drafts.set(sessionId, draft);
    try {
      if (draft.text === '') this.#storage?.removeItem(PREFIX + sessionId);
      else this.#storage?.setItem(PREFIX + sessionId, JSON.stringify(draft));
    } catch {
      // The storage is full; the draft is kept for as long as the page is.
    }
  }

  #read(sessionId: string): Draft | undefined {
    const stored = this.#storage?.getItem(PREFIX + sessionId);
    return stored == null ? undefined : (JSON.parse(stored) as Draft);
  }
}

/** The storage of this tab, if the browser allows one. */
export function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
