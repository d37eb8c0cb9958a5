import { styleText } from 'node:util';

/** Colours and weights of the text output. Each takes printable text. */
export interface Style {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly added: (text: string) => string;
  readonly removed: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly warning: (text: string) => string;
}

/** No colours and weights. */
export const PLAIN: Style = {
  dim: same,
  bold: same,
  added: same,
  removed: same,
  good: same,
  bad: same,
  accent: same,
  warning: same,
};

const COLOURED: Style = {
  dim: (text) => styleText('dim', text, { validateStream: false }),
  bold: (text) => styleText('bold', text, { validateStream: false }),
  added: (text) => styleText('green', text, { validateStream: false }),
  removed: (text) => styleText('red', text, { validateStream: false }),
  good: (text) => styleText('green', text, { validateStream: false }),
  bad: (text) => styleText('red', text, { validateStream: false }),
  accent: (text) => styleText('cyan', text, { validateStream: false }),
  warning: (text) => styleText('yellow', text, { validateStream: false }),
};

/** Colours on a terminal that wants them (NO_COLOR and FORCE_COLOR are honoured), else none. */
export function chooseStyle(output: NodeJS.WriteStream): Style {
  if (process.env['FORCE_COLOR'] !== undefined) return COLOURED;
  return output.isTTY && output.hasColors() && process.env['NO_COLOR'] === undefined
    ? COLOURED
    : PLAIN;
}

function same(text: string): string {
  return text;
}
