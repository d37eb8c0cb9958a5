import { toExactLine, type ToolCallEntry, type TranscriptEntry } from '@signalbox/core';
import { Fold } from '../content/fold.ts';
import { ToolCallBody } from '../content/tool-call-body.ts';
import { element, setText } from '../dom/element.ts';
import type { Row, RowContext } from './row.ts';

/** Paths of a call that stand on its line. */
const PATHS_SHOWN_MAX = 3;

/** One call of a tool: what it is and where it stands on a line, all else folded away. */
export class ToolCallRow implements Row {
  readonly #fold: Fold;
  readonly #status = element('span', { class: 'status' });
  readonly #title = element('span', { class: 'title', attributes: { dir: 'auto' } });
  readonly #paths = element('span', { class: 'paths', attributes: { dir: 'auto' } });
  readonly #body = new ToolCallBody();
  #entry: ToolCallEntry | undefined;
  #context: RowContext | undefined;

  constructor() {
    this.#fold = new Fold('tool-call', (body) => {
      if (!body.hasChildNodes()) body.append(this.#body.node);
      if (this.#entry && this.#context) this.#body.update(this.#entry, this.#context.terminals);
    });
    this.#fold.summary.append(this.#status, this.#title, this.#paths);
  }

  get node(): HTMLElement {
    return this.#fold.node;
  }

  update(entry: TranscriptEntry, context: RowContext): void {
    if (entry.kind !== 'tool_call') return;
    this.#entry = entry;
    this.#context = context;
    this.node.dataset['status'] = entry.status;
    setText(this.#status, statusText(entry));
    setText(this.#title, toExactLine(entry.title) || entry.toolKind);
    setText(this.#paths, pathsText(entry));
    this.#fold.redraw();
  }
}

function statusText({ status, interruption }: ToolCallEntry): string {
  if (interruption !== undefined) return `interrupted (${interruption.replaceAll('_', ' ')})`;
  return status.replaceAll('_', ' ');
}

function pathsText({ locations }: ToolCallEntry): string {
  const paths = locations.map(({ path }) => toExactLine(path));
  const left = paths.length - PATHS_SHOWN_MAX;
  return [...paths.slice(0, PATHS_SHOWN_MAX), ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
}
