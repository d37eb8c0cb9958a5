import type { TextCut } from '@signalbox/core';
import { element, setText } from '../dom/element.ts';

/** A line that says how much of what stands here is missing, because it was too long to be sent along. */
export class CutNote {
  readonly node = element('div', { class: 'left-out' });

  constructor() {
    this.node.hidden = true;
  }

  /** @param cuts the marks of all that stands here. */
  set(cuts: Iterable<TextCut | undefined>): void {
    let bytes = 0;
    for (const cut of cuts) bytes += cut?.bytes ?? 0;
    this.node.hidden = bytes === 0;
    const count = bytes.toLocaleString('en');
    setText(
      this.node,
      bytes === 0 ? '' : `${count} bytes of this are not shown; the log has them.`,
    );
  }
}
