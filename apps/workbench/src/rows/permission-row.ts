import type { PermissionOption } from '@signalbox/acp';
import { type PermissionEntry, toExact, toExactLine, type TranscriptEntry } from '@signalbox/core';
import { CutNote } from '../content/cut-note.ts';
import { GrowingText } from '../content/growing-text.ts';
import { actorText, errorText, timeText } from '../content/texts.ts';
import { button, element, setText } from '../dom/element.ts';
import type { Row, RowContext } from './row.ts';

/**
 * How long the answers have to be there before one can be clicked, in ms. A click that comes sooner was meant
 * for what stood there before: an agent can take a request back and put another one in its place.
 */
const UNREAD_MS = 300;

/**
 * Something that the agent asks leave for: what it is, and one button for each option, in the agent's order
 * and with its words (B55). What was decided is shown when the log says so, never before (B177).
 */
export class PermissionRow implements Row {
  readonly node = element('section', { class: 'permission' });
  readonly #title = element('h3', { attributes: { dir: 'auto' } });
  readonly #paths = element('ul', { class: 'paths' });
  readonly #cut = new CutNote();
  readonly #input = new GrowingText('pre');
  readonly #buttons = element('div', { class: 'options', attributes: { role: 'group' } });
  readonly #result = element('p', { class: 'result', attributes: { role: 'status' } });
  #options: readonly PermissionOption[] | undefined;

  constructor() {
    this.#buttons.setAttribute('aria-label', 'Answers');
    this.node.append(this.#title, this.#paths, this.#cut.node, this.#input.node);
    this.node.append(this.#buttons, this.#result);
  }

  update(entry: TranscriptEntry, context: RowContext): void {
    if (entry.kind !== 'permission') return;
    const { action, options, outcome } = entry;
    const isWaiting = outcome === undefined;
    this.node.dataset['status'] = isWaiting ? 'waiting' : 'decided';
    const title = toExactLine(action.title) || 'A tool';
    setText(this.#title, `${title} (${toExactLine(action.kind)})`);
    this.#drawDetails(entry);
    if (this.#options !== options) {
      this.#options = options;
      this.#drawButtons(entry, context);
    }
    this.#buttons.hidden = !isWaiting || !context.mayAnswer;
    if (isWaiting && this.#buttons.dataset['state'] !== undefined) return;
    setText(this.#result, isWaiting ? waitingText(entry) : outcomeText(entry));
  }

  #drawDetails({ action: { paths, rawInput }, cut }: PermissionEntry): void {
    if (!this.#paths.hasChildNodes()) {
      for (const path of paths) this.#paths.append(element('li', { text: toExactLine(path) }));
    }
    this.#cut.set([cut?.rawInput]);
    this.#input.set(toExact(rawInput?.text ?? ''));
    this.#input.node.hidden = rawInput === undefined;
  }

  #drawButtons({ permissionId, options }: PermissionEntry, context: RowContext): void {
    const made = options.map(({ optionId, name, kind }) => {
      const label = toExactLine(name) || toExactLine(optionId) || '(no name)';
      const option = button(label, () => void this.#answer(permissionId, optionId, context));
      option.dataset['kind'] = kind;
      option.dir = 'auto';
      option.disabled = true;
      return option;
    });
    this.#buttons.replaceChildren(...made);
    setTimeout(() => {
      for (const option of made) option.disabled = this.#buttons.dataset['state'] === 'sending';
    }, UNREAD_MS);
  }

  async #answer(permissionId: string, optionId: string, context: RowContext): Promise<void> {
    this.#setState('sending', 'Sending the answer…');
    try {
      await context.answerPermission(permissionId, optionId);
    } catch (error) {
      this.#setState('failed', `The answer did not arrive: ${errorText(error)}`);
    }
  }

  #setState(state: 'sending' | 'failed', text: string): void {
    this.#buttons.dataset['state'] = state;
    for (const option of this.#buttons.querySelectorAll('button')) {
      option.disabled = state === 'sending';
    }
    setText(this.#result, text);
  }
}

function waitingText({ deadline }: PermissionEntry): string {
  if (deadline === undefined) return '';
  return `Denied if nobody has answered by ${timeText(deadline, Date.now())}.`;
}

function outcomeText({ outcome, options, by, withdrawal }: PermissionEntry): string {
  const who = by === undefined ? '' : `, by ${actorText(by)}`;
  if (outcome?.kind !== 'selected') {
    const why = withdrawal === undefined ? '' : ` (${withdrawal.replaceAll('_', ' ')})`;
    return `Not allowed${why}${who}`;
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId);
  return `${toExactLine(option?.name ?? outcome.optionId)}${who}`;
}
