import type { Transcript, TranscriptEntry } from '@signalbox/core';
import { element, setText } from '../dom/element.ts';
import { createRow } from '../rows/create-row.ts';
import type { Row, RowContext } from '../rows/row.ts';

/** Entries that are in the page: the newest. The log has them all (B179). */
export const ENTRIES_SHOWN_MAX = 500;

interface Shown {
  readonly row: Row;
  entry: TranscriptEntry;
}

/**
 * The newest entries of a session. An entry that changes becomes a new object, so identity tells which rows
 * to draw; everything else stays as it is, with its folds, its focus and what is selected in it.
 */
export class TranscriptList {
  readonly node = element('div', { class: 'transcript' });
  readonly #leftOut = element('p', { class: 'left-out' });
  readonly #rows = element('div', { class: 'rows' });
  readonly #shown = new Map<string, Shown>();
  #terminals: Transcript['terminals'] | undefined;
  #mayAnswer: boolean | undefined;

  constructor() {
    this.node.append(this.#leftOut, this.#rows);
  }

  /** Brings the page up to date with the session. */
  update(view: Transcript, context: RowContext): void {
    const newest = view.entries.slice(-ENTRIES_SHOWN_MAX);
    const left = view.entries.length - newest.length + (view.omitted?.entries ?? 0);
    this.#leftOut.hidden = left === 0;
    setText(this.#leftOut, `${left.toLocaleString('en')} earlier entries are not shown.`);
    const isForAll = context.terminals !== this.#terminals || context.mayAnswer !== this.#mayAnswer;
    this.#terminals = context.terminals;
    this.#mayAnswer = context.mayAnswer;
    this.#removeAllBut(newest);
    let next = this.#rows.firstElementChild;
    for (const entry of newest) {
      const row = this.#draw(entry, context, isForAll);
      if (row.node === next) next = next.nextElementSibling;
      else this.#rows.insertBefore(row.node, next);
    }
  }

  #draw(entry: TranscriptEntry, context: RowContext, isForced: boolean): Row {
    const known = this.#shown.get(entry.id);
    if (known === undefined) {
      const row = createRow(entry);
      row.node.dataset['entry'] = entry.id;
      row.update(entry, context);
      this.#shown.set(entry.id, { row, entry });
      return row;
    }
    if (isForced || known.entry !== entry) {
      known.entry = entry;
      known.row.update(entry, context);
    }
    return known.row;
  }

  #removeAllBut(entries: readonly TranscriptEntry[]): void {
    const kept = new Set(entries.map(({ id }) => id));
    for (const [id, { row }] of this.#shown) {
      if (kept.has(id)) continue;
      row.node.remove();
      this.#shown.delete(id);
    }
  }
}
