import type { RemoteSession } from '@signalbox/client';
import type { Transcript } from '@signalbox/core';
import { errorText } from '../content/texts.ts';
import { button, element, setText } from '../dom/element.ts';
import type { Draft, Drafts } from './drafts.ts';

/** Where prompts are written, and turns stopped. */
export class Composer {
  readonly node = element('form', { class: 'composer' });
  readonly #session: RemoteSession;
  readonly #drafts: Drafts;
  readonly #text = element('textarea', {
    attributes: {
      rows: '3',
      'aria-label': 'Prompt',
      placeholder: 'What is to be done?',
      dir: 'auto',
    },
  });
  readonly #send = element('button', { text: 'Send', attributes: { type: 'submit' } });
  readonly #stop = button('Stop', () => void this.#cancel(), 'stop');
  readonly #problem = element('p', { class: 'problem', attributes: { role: 'alert' } });

  constructor(session: RemoteSession, drafts: Drafts) {
    this.#session = session;
    this.#drafts = drafts;
    if (isSent(session.view, drafts.get(session.id))) drafts.set(session.id, { text: '' });
    this.#text.value = drafts.get(session.id).text;
    // Another text is another prompt.
    this.#text.addEventListener('input', () => drafts.set(session.id, { text: this.#text.value }));
    this.#text.addEventListener('keydown', (event) => this.#onKey(event));
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    const buttons = element('div', { class: 'buttons' }, this.#send, this.#stop);
    this.node.append(this.#text, buttons, this.#problem);
  }

  update({ turn }: Transcript): void {
    const { role } = this.#session;
    const isDriver = role === 'driver';
    this.#text.hidden = !isDriver;
    this.#send.hidden = !isDriver;
    this.#stop.hidden = role === 'observer';
    const isRunning = turn.kind === 'running';
    this.#stop.disabled = !isRunning || turn.cancel !== undefined;
    setText(this.#stop, isRunning && turn.cancel !== undefined ? 'Stopping…' : 'Stop');
  }

  /** Where there is no keyboard, one would be laid over half of the page. */
  focus(): void {
    if (!isTouch()) this.#text.focus({ preventScroll: true });
  }

  /** Enter sends where there is a keyboard; on a touch screen it is the only way to a new line. */
  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing || event.shiftKey) return;
    if (isTouch() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.node.requestSubmit();
  }

  /** Hands the text over. It stays in the box until the log has it (B177). */
  async #submit(): Promise<void> {
    const { id } = this.#session;
    const text = this.#text.value;
    if (text.trim() === '' || this.#text.readOnly) return;
    const { promptId } = this.#drafts.get(id);
    this.#setSending(true);
    try {
      const prompt = this.#session.prompt(text, promptId === undefined ? {} : { promptId });
      this.#drafts.set(id, { text, promptId: prompt.promptId });
      // How it ends is in the log.
      await prompt.accepted;
      this.#drafts.set(id, { text: '' });
      this.#text.value = '';
      setText(this.#problem, '');
    } catch (error) {
      setText(this.#problem, `Not sent: ${errorText(error)}`);
    } finally {
      this.#setSending(false);
    }
  }

  #setSending(isSending: boolean): void {
    this.#text.readOnly = isSending;
    this.#send.disabled = isSending;
    setText(this.#send, isSending ? 'Sending…' : 'Send');
  }

  async #cancel(): Promise<void> {
    try {
      await this.#session.cancel();
      setText(this.#problem, '');
    } catch (error) {
      setText(this.#problem, `Not stopped: ${errorText(error)}`);
    }
  }
}

function isTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

/** Whether a draft was handed over while nobody looked. */
function isSent({ entries, queue }: Transcript, { promptId }: Draft): boolean {
  if (promptId === undefined) return false;
  const isRunning = entries.some((e) => e.kind === 'user_message' && e.promptId === promptId);
  return isRunning || queue.some((prompt) => prompt.promptId === promptId);
}
