import { toPrintableLine } from '@signalbox/core';
import type { TraceRow } from '@signalbox/conformance';
import type { Style } from '../../render/style.ts';

/** Characters of a message that are shown on its line. */
const DETAIL_LENGTH_MAX = 120;

/** One row of a trace on one line, for people. */
export function toTraceLine(row: TraceRow, style: Style): string {
  const { t, gapMs, dir, kind, idText, latencyMs, count } = row;
  const arrow = dir === 'c2a' ? '→' : '←';
  const id = idText === undefined ? '' : ` #${toPrintableLine(idText)}`;
  const parts = [
    style.dim(`${seconds(t).padStart(9)} ${`+${seconds(gapMs)}`.padStart(9)}`),
    dir === 'c2a' ? style.accent(arrow) : arrow,
    `${kindText(row, style)}${style.bold(nameOf(row))}${style.dim(id)}`,
    ...(count === 1 ? [] : [`×${count}`]),
    ...(latencyMs === undefined ? [] : [style.dim(`${latencyMs} ms`)]),
    ...(kind === 'error' ? [style.bad(shorten(row.detail))] : [shorten(row.detail)]),
    ...(row.isCut ? [style.warning('(cut short)')] : []),
  ];
  return `${parts.filter((part) => part !== '').join('  ')}\n`;
}

function kindText({ kind }: TraceRow, style: Style): string {
  switch (kind) {
    case 'noise':
      return style.warning('! no message');
    case 'error':
      return `${style.bad('error')} `;
    case 'result':
      return `${style.good('result')} `;
    case 'request':
    case 'notification':
      return '';
  }
}

function nameOf({ kind, method, update }: TraceRow): string {
  const isAnswer = kind === 'result' || kind === 'error';
  const name = method === '' && isAnswer ? '(to no request)' : toPrintableLine(method);
  return update === undefined ? name : `${name} ${toPrintableLine(update)}`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function shorten(text: string): string {
  const characters = Array.from(toPrintableLine(text));
  if (characters.length <= DETAIL_LENGTH_MAX) return characters.join('');
  return `${characters.slice(0, DETAIL_LENGTH_MAX).join('')}…`;
}
