import type { ContentChunk, PermissionOption, SessionUpdate, UsageUpdate } from '@signalbox/acp';
import {
  agentExitText,
  type EventOf,
  type PermissionId,
  type SessionEvent,
  toPrintable,
  toPrintableLine,
  updateOf,
} from '@signalbox/core';
import { contentText } from './content-text.ts';
import { actorText, permissionText, resolutionText } from './permission-text.ts';
import { planText } from './plan-text.ts';
import type { Style } from './style.ts';
import { ToolCallText } from './tool-call-text.ts';
import { turnEndText } from './turn-end-text.ts';

/** What a renderer shows beside what the agent does. */
export interface TextOptions {
  /** Show the prompts too: when a whole session is read, not when the person has just written one. */
  readonly showPrompts: boolean;
}

/** A half of a character at the end of a text, of which the rest may follow (B88). */
const FIRST_HALF = /[\ud800-\udbff]$/;

/** What was printed last, which decides how the next thing begins. */
type Place = 'line start' | 'message' | 'thought';

/** Shows a session's events as text for people, as they come. */
export class TextRenderer {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  readonly #options: TextOptions;
  readonly #toolCalls: ToolCallText;
  readonly #permissionOptions = new Map<PermissionId, readonly PermissionOption[]>();
  #place: Place = 'line start';
  /** Of the message that was printed last, where it has one. */
  #messageId: string | undefined;
  /** The first half of a character that an agent has cut, until its next chunk brings the other one. */
  #half = '';
  #usage: UsageUpdate | undefined;

  constructor(write: (text: string) => void, style: Style, options: TextOptions) {
    this.#write = write;
    this.#style = style;
    this.#options = options;
    this.#toolCalls = new ToolCallText(style);
  }

  render(event: SessionEvent): void {
    switch (event.type) {
      case 'turn.started':
        this.#toolCalls.reset();
        if (this.#options.showPrompts) this.#prompt(event);
        return;
      case 'update':
        this.#update(event);
        return;
      case 'permission.requested':
        this.#permissionRequested(event);
        return;
      case 'permission.resolved': {
        const options = this.#permissionOptions.get(event.data.permissionId) ?? [];
        this.#block(resolutionText(event, options, this.#style));
        return;
      }
      case 'turn.cancel_requested':
        this.#block(this.#style.dim(`Cancelling, by ${actorText(event.data.by)} …\n`));
        return;
      case 'prompt.dropped':
        this.#block(this.#style.dim('A waiting prompt was dropped\n'));
        return;
      case 'agent.exited':
        if (!event.data.isExpected) this.#block(exitText(event, this.#style));
        return;
      case 'turn.finished':
        this.#block(`${turnEndText(event.data.end, this.#style)}${this.#usageText()}\n`);
        return;
      case 'terminal.exited':
        this.#toolCalls.terminalExited(event.data);
        return;
      case 'session.created':
      case 'agent.started':
      case 'prompt.queued':
      case 'prompt.held':
      case 'file.accessed':
      case 'terminal.started':
    }
  }

  /** Ends a line that was begun, so that somebody else can write. */
  endLine(): void {
    if (this.#place !== 'line start') this.#write(`${this.#half}\n`);
    this.#place = 'line start';
    this.#half = '';
  }

  #update(event: EventOf<'update'>): void {
    const update = updateOf(event);
    if (update === undefined) {
      this.#block(this.#style.dim(`An update was not understood: ${event.data.problem}\n`));
      return;
    }
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#stream('message', update);
        return;
      case 'agent_thought_chunk':
        this.#stream('thought', update);
        return;
      case 'tool_call':
      case 'tool_call_update':
        this.#block(this.#toolCalls.update(update, event.data.update));
        return;
      case 'plan':
        this.#block(planText(update.entries, this.#style));
        return;
      case 'usage_update':
        this.#usage = update;
        return;
      case 'current_mode_update':
        this.#block(this.#style.dim(`Mode: ${toPrintableLine(update.currentModeId)}\n`));
        return;
      case 'user_message_chunk':
      case 'available_commands_update':
      case 'config_option_update':
      case 'session_info_update':
        return;
      default:
        this.#other(update);
    }
  }

  /** News that this program has no form for is shown by name; the log holds the whole. */
  #other(update: SessionUpdate): void {
    this.#block(this.#style.dim(`[${toPrintableLine(update.sessionUpdate)}]\n`));
  }

  #prompt(event: EventOf<'turn.started'>): void {
    const blocks = event.data.content.value as Parameters<typeof contentText>[0][];
    const text = blocks.map(contentText).join('\n');
    this.#block(`\n${this.#style.bold(`> ${text.replaceAll('\n', '\n> ')}`)}\n`);
  }

  #permissionRequested(event: EventOf<'permission.requested'>): void {
    const { permissionId, options, action } = event.data;
    this.#permissionOptions.set(permissionId, options.value as PermissionOption[]);
    this.#block(permissionText(action, this.#style));
  }

  /** A chunk of a message goes on in its line; another message begins its own (B83). */
  #stream(place: 'message' | 'thought', { content, messageId }: ContentChunk): void {
    const text = contentText(content);
    if (text === '') return;
    const id = messageId ?? undefined;
    if (this.#place !== place || this.#messageId !== id) this.endLine();
    this.#messageId = id;
    const all = this.#half + text;
    const shown = all.replace(FIRST_HALF, '');
    this.#half = all.slice(shown.length);
    if (shown !== '') this.#write(place === 'thought' ? this.#style.dim(shown) : shown);
    this.#place = text.endsWith('\n') ? 'line start' : place;
  }

  #block(text: string): void {
    if (text === '') return;
    this.endLine();
    this.#write(text);
  }

  #usageText(): string {
    if (this.#usage === undefined) return '';
    const { used, size, cost } = this.#usage;
    const money = cost == null ? '' : `, ${cost.amount} ${toPrintableLine(cost.currency)}`;
    return this.#style.dim(`  ${used} of ${size} tokens in context${money}`);
  }
}

function exitText(event: EventOf<'agent.exited'>, style: Style): string {
  const tail = event.data.stderrTail.trim();
  const words = tail === '' ? '' : `${style.dim(toPrintable(tail))}\n`;
  const text = `The agent's process ${toPrintableLine(agentExitText(event.data))}`;
  return `${style.bad(text)}\n${words}`;
}
