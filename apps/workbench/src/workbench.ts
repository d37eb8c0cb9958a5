import type { RemoteSession, SignalboxClient } from '@signalbox/client';
import { ConnectionLine } from './connection-line.ts';
import { errorText } from './content/texts.ts';
import { element, setText } from './dom/element.ts';
import { chosenSession, toHash } from './location.ts';
import { Drafts, tabStorage } from './session/drafts.ts';
import { SessionPanel } from './session/session-panel.ts';
import { ENTRIES_SHOWN_MAX } from './session/transcript-list.ts';
import { NewSessionForm, type NewSessionWish } from './sessions/new-session-form.ts';
import { readSessions, SESSIONS_STEP } from './sessions/read-sessions.ts';
import { SessionList } from './sessions/session-list.ts';

/** How often the list of sessions is read again while somebody can see it, in ms. */
const LIST_EVERY_MS = 10_000;
/** How much of a session stays in memory; somewhat more than is shown of it. */
const VIEW_BOUNDS = {
  entriesMax: ENTRIES_SHOWN_MAX,
  bytesMax: 4 * 1024 * 1024,
  textBytesMax: 256 * 1024,
};

/** The page: the sessions, the one that is looked at, and the connection that both come over. */
export class Workbench {
  readonly node = element('div', { class: 'workbench' });
  readonly #client: SignalboxClient;
  readonly #list = new SessionList(() => {
    this.#shownMax += SESSIONS_STEP;
    void this.#readList();
  });
  readonly #form = new NewSessionForm((wish) => this.#create(wish));
  readonly #main = element('main');
  readonly #drafts = new Drafts(tabStorage());
  #panel: SessionPanel | undefined;
  /** Aborted when another session is chosen while one is being attached. */
  #choosing = new AbortController();
  #isReading = false;
  /** How many sessions are listed. */
  #shownMax = SESSIONS_STEP;
  /** Whether the chosen session could not be opened. */
  #hasFailed = false;

  constructor(client: SignalboxClient) {
    this.#client = client;
    const name = element('h1', { text: 'Signalbox' });
    const back = element('a', { class: 'back', text: 'Sessions', attributes: { href: '#' } });
    const head = element('header', { class: 'top' }, name, back, new ConnectionLine(client).node);
    const side = element('aside', {}, this.#form.node, this.#list.node);
    this.node.append(head, side, this.#main);
  }

  /** Begins. */
  start(): void {
    window.addEventListener('hashchange', () => void this.#choose());
    this.#client.subscribe(({ kind }) => {
      if (kind !== 'online') return;
      void this.#readList();
      if (this.#hasFailed) void this.#choose();
    });
    document.addEventListener('visibilitychange', () => void this.#readList());
    setInterval(() => void this.#readList(), LIST_EVERY_MS);
    void this.#readList();
    void this.#choose();
  }

  async #readList(): Promise<void> {
    if (this.#isReading || document.hidden || this.#client.state.kind !== 'online') return;
    this.#isReading = true;
    try {
      let shownMax: number;
      do {
        shownMax = this.#shownMax;
        const page = await readSessions(this.#client, shownMax);
        this.#list.show(page);
        this.#form.offer(page.sessions);
        // More may have been wanted meanwhile.
      } while (shownMax !== this.#shownMax);
    } catch (error) {
      this.#list.fail(`The sessions cannot be listed: ${errorText(error)}`);
    } finally {
      this.#isReading = false;
    }
  }

  async #create({ cwd, agent }: NewSessionWish): Promise<void> {
    const wish = { cwd, ...(agent === undefined ? {} : { agent }) };
    const { sessionId } = await this.#client.newSession(wish);
    location.hash = toHash(sessionId);
    void this.#readList();
  }

  /** Shows the session that the address names. */
  async #choose(): Promise<void> {
    const sessionId = chosenSession(location);
    if (sessionId !== undefined && sessionId === this.#panel?.sessionId) return;
    this.#choosing.abort();
    this.#choosing = new AbortController();
    const { signal } = this.#choosing;
    this.#hasFailed = false;
    this.#closePanel();
    this.#list.choose(sessionId);
    this.node.dataset['shows'] = sessionId === undefined ? 'list' : 'session';
    if (sessionId === undefined) {
      document.title = 'Signalbox';
      this.#say('Choose a session, or begin a new one.');
      return;
    }
    this.#say('Opening the session…');
    try {
      const options = { merge: true, viewBounds: VIEW_BOUNDS, signal };
      const session = await this.#client.attach(sessionId, options);
      if (signal.aborted) await session.close();
      else this.#show(session);
    } catch (error) {
      if (signal.aborted) return;
      this.#hasFailed = true;
      this.#say(`The session cannot be opened: ${errorText(error)}`);
    }
  }

  #show(session: RemoteSession): void {
    this.#panel = new SessionPanel({
      session,
      drafts: this.#drafts,
      onChange: () => void this.#readList(),
      onReopen: () => {
        this.#closePanel();
        void this.#choose();
      },
    });
    this.#main.replaceChildren(this.#panel.node);
    this.#panel.focus();
  }

  #closePanel(): void {
    this.#panel?.close();
    this.#panel = undefined;
  }

  #say(text: string): void {
    const line = element('p', { class: 'quiet', attributes: { role: 'status' } });
    this.#main.replaceChildren(line);
    setText(line, text);
  }
}
