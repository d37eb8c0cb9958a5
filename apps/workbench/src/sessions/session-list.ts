import type { SessionPage, SessionSummary } from '@signalbox/client';
import { toPrintableLine } from '@signalbox/core';
import { timeText } from '../content/texts.ts';
import { element, setText } from '../dom/element.ts';
import { toHash } from '../location.ts';

/** The sessions to choose from. */
export class SessionList {
  readonly node = element('nav', { class: 'sessions', attributes: { 'aria-label': 'Sessions' } });
  readonly #state = element('p', { class: 'quiet', attributes: { role: 'status' } });
  readonly #list = element('ul');
  readonly #more = element('button', {
    class: 'more',
    text: 'More',
    attributes: { type: 'button' },
  });
  readonly #items = new Map<string, Item>();
  #chosen: string | undefined;

  /** @param onMore somebody wants to see more sessions. */
  constructor(onMore: () => void) {
    setText(this.#state, 'Loading…');
    this.#more.hidden = true;
    this.#more.addEventListener('click', onMore);
    this.node.append(this.#list, this.#more, this.#state);
  }

  /** Shows these sessions, in this order. Items that stay keep their focus. */
  show({ sessions, next: hasMore }: SessionPage): void {
    this.#more.hidden = hasMore === undefined;
    setText(this.#state, sessions.length === 0 ? 'There are no sessions yet.' : '');
    const kept = new Set(sessions.map(({ sessionId }) => sessionId));
    for (const [id, { node }] of this.#items) {
      if (kept.has(id)) continue;
      node.remove();
      this.#items.delete(id);
    }
    let next = this.#list.firstElementChild;
    for (const session of sessions) {
      const item = this.#itemOf(session.sessionId);
      item.update(session, session.sessionId === this.#chosen);
      if (item.node === next) next = next.nextElementSibling;
      else this.#list.insertBefore(item.node, next);
    }
  }

  /** Says why there is no list. */
  fail(reason: string): void {
    setText(this.#state, reason);
  }

  /** Marks the session that is shown. */
  choose(sessionId: string | undefined): void {
    this.#chosen = sessionId;
    for (const [id, item] of this.#items) item.mark(id === sessionId);
  }

  #itemOf(sessionId: string): Item {
    let item = this.#items.get(sessionId);
    if (item === undefined) {
      item = new Item(sessionId);
      this.#items.set(sessionId, item);
    }
    return item;
  }
}

class Item {
  readonly node = element('li');
  readonly #link: HTMLAnchorElement;
  readonly #title = element('span', { class: 'title', attributes: { dir: 'auto' } });
  readonly #facts = element('span', { class: 'facts' });

  constructor(sessionId: string) {
    this.#link = element(
      'a',
      { attributes: { href: toHash(sessionId) } },
      this.#title,
      this.#facts,
    );
    this.node.append(this.#link);
  }

  update({ title, agent, status, updatedAt }: SessionSummary, isChosen: boolean): void {
    setText(this.#title, toPrintableLine(title) || 'New session');
    const facts = [agent, status.replaceAll('_', ' '), timeText(updatedAt, Date.now())];
    setText(this.#facts, facts.map(toPrintableLine).join(' · '));
    this.node.dataset['status'] = status;
    this.mark(isChosen);
  }

  mark(isChosen: boolean): void {
    if (isChosen) this.#link.setAttribute('aria-current', 'page');
    else this.#link.removeAttribute('aria-current');
  }
}
