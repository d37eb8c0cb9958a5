import type { RawJson, ToolCallContent, ToolCallUpdate } from '@signalbox/acp';
import {
  isToolCallOver,
  mergeToolCall,
  terminalEndText,
  type TerminalExited,
  toExactLine,
  type ToolCallState,
  toPrintable,
  toPrintableLine,
} from '@signalbox/core';
import { contentText } from './content-text.ts';
import { diffText } from './diff-text.ts';
import type { Style } from './style.ts';

/** Lines of a tool's output that are shown; the log holds the whole. */
const OUTPUT_LINES_MAX = 20;

/** A tool call while it is shown: what is known, and what has been printed of it. */
interface ShownToolCall {
  readonly state: ToolCallState;
  readonly content: readonly ToolCallContent[];
  readonly shownStatus: ToolCallState['status'] | undefined;
}

/** Shows tool calls as they change: one line when they begin, one with what came of them. */
export class ToolCallText {
  readonly #style: Style;
  #calls = new Map<string, ShownToolCall>();
  /** What commands of the host wrote last, by terminal id. */
  readonly #outputs = new Map<string, string>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** A new turn: an agent may use the same ids again. */
  reset(): void {
    this.#calls = new Map();
  }

  /** A command that the host ran has ended; a tool call may embed its output. */
  terminalExited(exit: TerminalExited): void {
    const output = exit.output.trimEnd();
    this.#outputs.set(exit.terminalId, `${output}\n[${terminalEndText(exit)}]`);
  }

  /** Takes news in and gives what is to be printed now, possibly nothing. `raw` is its exact text. */
  update(news: ToolCallUpdate, raw: RawJson): string {
    const known = this.#calls.get(news.toolCallId);
    const state = mergeToolCall(known?.state, news, raw);
    const content = news.content ?? known?.content ?? [];
    const isOver = isToolCallOver(state.status);
    const isNew = known?.shownStatus === undefined;
    const isChanged = isOver && known?.shownStatus !== state.status;
    // A call without a title yet is announced by the news that brings one.
    const isShown = isChanged || (isNew && state.title !== '');
    const shownStatus = isShown ? state.status : known?.shownStatus;
    this.#calls.set(news.toolCallId, { state, content, shownStatus });
    if (!isShown) return '';
    return isOver ? this.#endText(state, content, isNew) : this.#beginText(state);
  }

  #beginText(state: ToolCallState): string {
    const { dim, accent } = this.#style;
    return `${accent('●')} ${toExactLine(state.title)} ${dim(kindText(state))}\n`;
  }

  #endText(state: ToolCallState, content: readonly ToolCallContent[], isNew: boolean): string {
    const { good, bad, dim } = this.#style;
    const mark = state.status === 'completed' ? good('✓') : bad('✗');
    const kind = isNew ? ` ${dim(kindText(state))}` : '';
    const what = `${mark} ${toExactLine(state.title)}${kind}\n`;
    // What a tool read is for the agent; what it changed and ran is for the person too.
    const showsContent = state.status === 'failed' || !QUIET_KINDS.has(state.kind);
    return showsContent ? what + content.map((item) => this.#contentText(item)).join('') : what;
  }

  #contentText(item: ToolCallContent): string {
    switch (item.type) {
      case 'diff':
        return indent(diffText(item, this.#style));
      case 'content':
        return indent(this.#style.dim(lastLines(contentText(item.content))));
      case 'terminal': {
        const name = `[terminal ${toPrintableLine(item.terminalId)}]`;
        const output = this.#outputs.get(item.terminalId);
        const text = output === undefined ? name : lastLines(toPrintable(output));
        return indent(this.#style.dim(text));
      }
      default:
        return '';
    }
  }
}

const QUIET_KINDS: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch']);

function kindText(state: ToolCallState): string {
  return state.kind === 'other' ? '' : `(${toPrintableLine(state.kind)})`;
}

/** The end of an output, which is where results and errors stand. */
function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  if (lines.length <= OUTPUT_LINES_MAX) return lines.join('\n');
  const left = lines.length - OUTPUT_LINES_MAX;
  return [`… ${left} lines before`, ...lines.slice(-OUTPUT_LINES_MAX)].join('\n');
}

function indent(text: string): string {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  return body === '' ? '' : `  ${body.replaceAll('\n', '\n  ')}\n`;
}
