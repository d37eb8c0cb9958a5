// Runs the demonstration and writes what a person sees as docs/demo.svg: `node scripts/record-demo.mjs`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';

const COLUMNS = 100;
const ROWS_MAX = 60;
const LINE_HEIGHT = 18;
const CHARACTER_WIDTH = 8.4;
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' };

const folder = mkdtempSync(join(tmpdir(), 'signalbox-record-'));
const output = execFileSync(
  process.execPath,
  [join(root, 'packages/cli/bin/signalbox.js'), 'demo'],
  {
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '1', SIGNALBOX_DATA: folder, TMPDIR: folder },
  },
);
rmSync(folder, { recursive: true });
writeFileSync(join(root, 'docs/demo.svg'), toSvg(toRows(output)));

/** The beginning and the end of the output, as rows of styled pieces. */
function toRows(text) {
  const lines = text
    .replaceAll(folder, tmpdir())
    .replaceAll(/signalbox-demo-\w+/g, 'signalbox-demo')
    .trimEnd()
    .split('\n');
  const shown =
    lines.length <= ROWS_MAX
      ? lines
      : [
          ...lines.slice(0, 22),
          '',
          '\u001b[2m        …\u001b[22m',
          '',
          ...lines.slice(25 - ROWS_MAX),
        ];
  return shown.map(toPieces);
}

function toPieces(line) {
  const pieces = [];
  let style = { colour: undefined, isBold: false, isDim: false };
  let width = 0;
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code === undefined) {
      const text = [...part].slice(0, COLUMNS - width).join('');
      width += [...text].length;
      if (text !== '') pieces.push({ text, style });
    } else {
      style = changeStyle(style, Number(code));
    }
  }
  return pieces;
}

function changeStyle(style, code) {
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  return { ...style, colour: COLOURS[code] };
}

function toSvg(rows) {
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH + 32);
  const height = rows.length * LINE_HEIGHT + 32;
  const texts = rows.map((pieces, index) => {
    const spans = pieces.map(
      ({ text, style }) => `<tspan${attributes(style)}>${escape(text)}</tspan>`,
    );
    return `<text x="16" y="${28 + index * LINE_HEIGHT}" xml:space="preserve">${spans.join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="signalbox demo">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${texts.join('\n')}
</g>
</svg>
`;
}

function attributes({ colour, isBold, isDim }) {
  const fill = colour === undefined ? '' : ` fill="${colour}"`;
  return `${fill}${isBold ? ' font-weight="bold"' : ''}${isDim ? ' opacity="0.6"' : ''}`;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
