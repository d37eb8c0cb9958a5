import type { EndReason, RemoteSession } from '@signalbox/client';
import { toPrintableLine, type Transcript } from '@signalbox/core';
import { blockText } from '../content/blocks-view.ts';
import { EndFollower } from '../dom/end-follower.ts';
import { button, element, setText } from '../dom/element.ts';
import { Frame } from '../dom/frame.ts';
import type { RowContext } from '../rows/row.ts';
import { Composer } from './composer.ts';
import type { Drafts } from './drafts.ts';
import { PlanView } from './plan-view.ts';
import { sessionStatus } from './session-status.ts';
import { TranscriptList } from './transcript-list.ts';

/** Characters of a title. */
const TITLE_LENGTH_MAX = 200;

/** What a {@link SessionPanel} is made of. */
export interface SessionPanelParts {
  readonly session: RemoteSession;
  readonly drafts: Drafts;
  /** Told when the list of sessions may look different. */
  readonly onChange: () => void;
  /** Somebody wants to see the session again after it has ended here. */
  readonly onReopen: () => void;
}

/** One session as it goes on. */
export class SessionPanel {
  readonly node = element('section', { class: 'session', attributes: { 'aria-label': 'Session' } });
  readonly #session: RemoteSession;
  readonly #title = element('h2', { attributes: { dir: 'auto' } });
  readonly #facts = element('p', { class: 'facts', attributes: { dir: 'auto' } });
  readonly #scroller = element('div', { class: 'scroller', attributes: { tabindex: '0' } });
  readonly #list = new TranscriptList();
  readonly #follower = new EndFollower(this.#scroller);
  readonly #plan = new PlanView();
  readonly #queue = element('ol', {
    class: 'queue',
    attributes: { 'aria-label': 'Waiting prompts' },
  });
  readonly #status = element('p', { class: 'session-status', attributes: { role: 'status' } });
  readonly #reopen: HTMLButtonElement;
  readonly #composer: Composer;
  readonly #frame = new Frame(() => this.#draw());
  readonly #stopListening: () => void;
  readonly #onChange: () => void;
  #ended: EndReason | undefined;
  #queued: Transcript['queue'] | undefined;
  /** What the list of sessions shows of this one. */
  #listed = '';

  constructor({ session, drafts, onChange, onReopen }: SessionPanelParts) {
    this.#session = session;
    this.#onChange = onChange;
    this.#reopen = button('Open again', onReopen);
    this.#composer = new Composer(session, drafts);
    this.#stopListening = session.subscribe((event) => {
      if (event.type === 'ended') this.#ended = event.reason;
      this.#frame.request();
    });
    this.#scroller.append(this.#list.node, this.#follower.end);
    const head = element('header', {}, this.#title, this.#facts);
    const foot = element('footer', {}, this.#plan.node, this.#queue, this.#status);
    foot.append(this.#reopen, this.#composer.node);
    const middle = element('div', { class: 'middle' }, this.#scroller, this.#follower.jump);
    this.node.append(head, middle, foot);
    this.#frame.request();
  }

  get sessionId(): string {
    return this.#session.id;
  }

  focus(): void {
    this.#composer.focus();
  }

  /** Looks at the session no longer; the session goes on. */
  close(): void {
    this.#stopListening();
    this.#frame.cancel();
    this.#follower.close();
    void this.#session.close();
  }

  #draw(): void {
    const { view, agent, cwd } = this.#session;
    const title = titleOf(view);
    setText(this.#title, title);
    setText(this.#facts, `${toPrintableLine(agent)} in ${toPrintableLine(cwd)}`);
    document.title = `${title} · Signalbox`;
    this.#list.update(view, this.#rowContext());
    this.#plan.update(view.plan);
    this.#drawQueue();
    this.node.dataset['caughtUp'] = String(this.#session.isCaughtUp);
    setText(this.#status, sessionStatus(this.#session, this.#ended));
    this.#reopen.hidden = this.#ended === undefined || this.#ended === 'deleted';
    this.#composer.update(view);
    this.#follower.follow();
    const listed = `${view.turn.kind} ${title}`;
    if (listed !== this.#listed) this.#onChange();
    this.#listed = listed;
  }

  #drawQueue(): void {
    const { queue } = this.#session.view;
    if (queue === this.#queued) return;
    this.#queued = queue;
    this.#queue.hidden = queue.length === 0;
    const texts = queue.map(({ content }) => promptText(content.value));
    this.#queue.replaceChildren(...texts.map((text) => element('li', { text })));
  }

  #rowContext(): RowContext {
    const session = this.#session;
    return {
      terminals: session.view.terminals,
      mayAnswer: session.role !== 'observer',
      answerPermission: (permissionId, optionId) =>
        session.answerPermission(permissionId, optionId),
    };
  }
}

/** From the agent if it gave one, else what the user said first. */
function titleOf({ title, entries }: Transcript): string {
  const first = entries.find((entry) => entry.kind === 'user_message');
  const text = title ?? first?.blocks.map(blockText).join(' ') ?? '';
  return toPrintableLine(text.slice(0, TITLE_LENGTH_MAX)) || 'New session';
}

function promptText(content: unknown): string {
  const blocks = Array.isArray(content) ? (content as Parameters<typeof blockText>[0][]) : [];
  return blocks.map(blockText).join(' ');
}
