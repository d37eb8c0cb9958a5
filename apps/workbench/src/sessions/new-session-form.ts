import type { SessionSummary } from '@signalbox/client';
import { errorText } from '../content/texts.ts';
import { element, setText } from '../dom/element.ts';

/** What a new session is made of. */
export interface NewSessionWish {
  readonly cwd: string;
  /** Undefined: the server's default. */
  readonly agent: string | undefined;
}

/** Asks for what a new session needs. What was used before is offered. */
export class NewSessionForm {
  readonly node = element('details', { class: 'new-session' });
  readonly #create: (wish: NewSessionWish) => Promise<void>;
  readonly #folders = element('datalist', { attributes: { id: 'known-folders' } });
  readonly #agents = element('datalist', { attributes: { id: 'known-agents' } });
  readonly #cwd = input('folder', 'known-folders', 'An absolute path on the server');
  readonly #agent = input('agent', 'known-agents', 'The default agent');
  readonly #submit = element('button', { text: 'Create', attributes: { type: 'submit' } });
  readonly #problem = element('p', { class: 'problem', attributes: { role: 'alert' } });

  /** @param create makes the session; rejects when there is none. */
  constructor(create: (wish: NewSessionWish) => Promise<void>) {
    this.#create = create;
    this.#cwd.required = true;
    const form = element(
      'form',
      {},
      element('label', { text: 'Folder', attributes: { for: this.#cwd.id } }),
      this.#cwd,
      element('label', { text: 'Agent', attributes: { for: this.#agent.id } }),
      this.#agent,
      this.#submit,
      this.#problem,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#onSubmit();
    });
    const summary = element('summary', { text: 'New session' });
    this.node.append(summary, form, this.#folders, this.#agents);
  }

  /** Offers the folders and agents of these sessions. */
  offer(sessions: readonly SessionSummary[]): void {
    fill(this.#folders, new Set(sessions.map(({ cwd }) => cwd)));
    fill(this.#agents, new Set(sessions.map(({ agent }) => agent)));
    if (this.#cwd.value === '') this.#cwd.value = sessions[0]?.cwd ?? '';
  }

  async #onSubmit(): Promise<void> {
    const agent = this.#agent.value.trim();
    this.#submit.disabled = true;
    setText(this.#problem, '');
    try {
      await this.#create({
        cwd: this.#cwd.value.trim(),
        agent: agent === '' ? undefined : agent,
      });
      this.node.open = false;
    } catch (error) {
      setText(this.#problem, errorText(error));
    } finally {
      this.#submit.disabled = false;
    }
  }
}

function input(name: string, list: string, placeholder: string): HTMLInputElement {
  return element('input', {
    attributes: { id: name, name, list, placeholder, autocomplete: 'off', spellcheck: 'false' },
  });
}

function fill(list: HTMLDataListElement, values: ReadonlySet<string>): void {
  list.replaceChildren(...[...values].map((value) => element('option', { attributes: { value } })));
}
