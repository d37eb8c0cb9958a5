import type { ContentBlock, ToolCallContent } from '@signalbox/acp';
import { endOfText } from '../text/end-of-text.ts';
import { utf8Length } from '../text/utf8.ts';
import type { TextCut } from './text-cut.ts';

/** A block of a message, or an item of a tool call's content. */
type Item = ContentBlock | ToolCallContent;

/** The newest items of a list. */
export interface ItemsEnd<T> {
  readonly items: readonly T[];
  /** What was left out before them; undefined if nothing was. */
  readonly cut: TextCut | undefined;
}

/** How much of one item there is room for. */
interface ItemEnd<T> {
  /** Undefined when it is left out. */
  readonly item: T | undefined;
  /** UTF-8 bytes that it takes. */
  readonly bytes: number;
  readonly leftOut: number;
}

/**
 * The newest part of a list of blocks, of at most `bytesMax` UTF-8 bytes and without a gap. Text is cut where the
 * room ends; anything else is there as a whole or not at all.
 */
export function endOfItems<T extends Item>(items: readonly T[], bytesMax: number): ItemsEnd<T> {
  let room = bytesMax;
  for (let at = items.length - 1; at >= 0; at--) {
    const end = endOfItem(items[at] as T, room);
    room -= end.bytes;
    if (end.leftOut === 0 && end.item !== undefined) continue;
    const before = items.slice(0, at);
    const bytes = before.reduce((sum, item) => sum + sizeOf(item), end.leftOut);
    const newer = items.slice(at + 1);
    return end.item === undefined
      ? { items: newer, cut: { bytes, items: at + 1 } }
      : { items: [end.item, ...newer], cut: { bytes, items: at } };
  }
  return { items, cut: undefined };
}

function endOfItem<T extends Item>(item: T, room: number): ItemEnd<T> {
  const text = textOf(item);
  if (text === undefined) {
    const bytes = sizeOf(item);
    return bytes <= room
      ? { item, bytes, leftOut: 0 }
      : { item: undefined, bytes: 0, leftOut: bytes };
  }
  const around = sizeAround(item);
  const end = endOfText(text, room - around);
  if (room < around || (end.text === '' && end.leftOut > 0)) {
    return { item: undefined, bytes: 0, leftOut: around + utf8Length(text) };
  }
  const bytes = around + end.bytes;
  if (end.leftOut === 0) return { item, bytes, leftOut: 0 };
  return { item: withText(item, end.text), bytes, leftOut: end.leftOut };
}

function sizeOf(item: Item): number {
  const text = textOf(item);
  if (text === undefined) return utf8Length(JSON.stringify(item));
  return sizeAround(item) + utf8Length(text);
}

/** What a text brings along: annotations, and whatever else stands beside it. */
function sizeAround(item: Item): number {
  const block = blockOf(item);
  const size = sizeBeside(block, 'text');
  return block === item ? size : size + sizeBeside(item, 'content');
}

function sizeBeside(item: Item, member: string): number {
  const others = Object.entries(item).filter(([key]) => key !== 'type' && key !== member);
  return others.length === 0 ? 0 : utf8Length(JSON.stringify(Object.fromEntries(others)));
}

function blockOf(item: Item): Item {
  return item.type === 'content' && 'content' in item ? item.content : item;
}

function textOf(item: Item): string | undefined {
  const block = blockOf(item);
  return block.type === 'text' ? block.text : undefined;
}

function withText<T extends Item>(item: T, text: string): T {
  if (item.type === 'text') return { ...item, text };
  return { ...item, content: { ...blockOf(item), text } };
}
