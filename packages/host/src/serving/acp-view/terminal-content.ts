import { memberText, RawJson, rawObject, withMembers } from '@signalbox/acp';
import { terminalEndText, type TerminalExited, type TerminalStarted } from '@signalbox/core';
import { rawItems, rawList } from './raw-items.ts';

/** Commands whose output is kept for tool calls that show them again. */
const OUTPUTS_MAX = 100;

interface Command {
  readonly line: string;
  readonly exit?: Omit<TerminalExited, 'terminalId' | 'outputBytes'>;
}

/**
 * Tool calls may embed a terminal by its id, but a client knows only the terminals that it made itself
 * (R-TOOL-18). What the host, or another client, runs for the agent is shown to it as text instead: the
 * command, and its output when it has ended.
 */
export class TerminalContent {
  readonly #isOthers: (terminalId: string) => boolean;
  /** Commands that the host runs or ran, by terminal id. */
  readonly #commands = new Map<string, Command>();
  /** The content of tool calls that embed a command which runs, by tool call id. */
  readonly #open = new Map<string, RawJson>();

  /** @param isOthers whether another client made this terminal. */
  constructor(isOthers: (terminalId: string) => boolean) {
    this.#isOthers = isOthers;
  }

  onStarted({ terminalId, argv }: Pick<TerminalStarted, 'terminalId' | 'argv'>): void {
    this.#commands.set(terminalId, { line: argv.join(' ') });
  }

  /** @returns updates that show the output where the command was embedded. */
  onExited({ terminalId, ...exit }: TerminalExited): RawJson[] {
    const known = this.#commands.get(terminalId) ?? { line: '' };
    this.#commands.delete(terminalId);
    this.#commands.set(terminalId, { ...known, exit });
    this.#forgetOldOutput();
    const updates: RawJson[] = [];
    for (const [toolCallId, content] of [...this.#open]) {
      if (!terminalIdsOf(content).includes(terminalId)) continue;
      this.#note(toolCallId, content);
      const members = { toolCallId, content: this.#substitute(content) };
      updates.push(rawObject({ sessionUpdate: 'tool_call_update', ...members }));
    }
    return updates;
  }

  /** The same news about a tool call, with text in place of terminals that the client does not know. */
  shown(news: RawJson): RawJson {
    const { toolCallId, content } = news.value as { toolCallId?: unknown; content?: unknown };
    if (typeof toolCallId !== 'string' || !Array.isArray(content)) return news;
    const isAny = content.some((item: unknown) => this.#isUnknown(terminalIdOf(item)));
    if (!isAny) {
      this.#open.delete(toolCallId);
      return news;
    }
    const text = new RawJson(memberOf(news, 'content'), content);
    this.#note(toolCallId, text);
    return withMembers(news, { content: this.#substitute(text) });
  }

  /** Remembers a content as long as a command in it runs. */
  #note(toolCallId: string, content: RawJson): void {
    const isRunning = terminalIdsOf(content).some((id) => {
      const command = this.#commands.get(id);
      return command !== undefined && command.exit === undefined;
    });
    if (isRunning) this.#open.set(toolCallId, content);
    else this.#open.delete(toolCallId);
  }

  #substitute(content: RawJson): RawJson {
    return rawList(
      rawItems(content).map((item) => {
        const terminalId = terminalIdOf(item.value);
        if (terminalId === undefined || !this.#isUnknown(terminalId)) return item;
        const text = toText(this.#commands.get(terminalId));
        const block = { type: 'content', content: { type: 'text', text } };
        return new RawJson(JSON.stringify(block), block);
      }),
    );
  }

  #isUnknown(terminalId: string | undefined): boolean {
    if (terminalId === undefined) return false;
    return this.#commands.has(terminalId) || this.#isOthers(terminalId);
  }

  #forgetOldOutput(): void {
    let extra = this.#commands.size - OUTPUTS_MAX;
    for (const [id, { line, exit }] of this.#commands) {
      if (extra-- <= 0) return;
      if (exit !== undefined) this.#commands.set(id, { line, exit: { ...exit, output: '' } });
    }
  }
}

function terminalIdOf(item: unknown): string | undefined {
  const { type, terminalId } = (item ?? {}) as { type?: unknown; terminalId?: unknown };
  return type === 'terminal' && typeof terminalId === 'string' ? terminalId : undefined;
}

function terminalIdsOf(content: RawJson): string[] {
  return (content.value as unknown[]).flatMap((item) => terminalIdOf(item) ?? []);
}

function memberOf(object: RawJson, key: string): string {
  return memberText(object.text, key) ?? 'null';
}

function toText(command: Command | undefined): string {
  if (command === undefined) return '(a terminal of another client)';
  const { line, exit } = command;
  if (exit === undefined) return fenced(`$ ${line}`);
  const output = `${exit.truncated ? '…' : ''}${exit.output.trimEnd()}`;
  return fenced(`$ ${line}\n${output}\n[${terminalEndText(exit)}]`);
}

/** A code block whose fence does not occur in it. */
function fenced(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
  return `${fence}\n${text}\n${fence}`;
}
