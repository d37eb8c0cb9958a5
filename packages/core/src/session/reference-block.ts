import type { ContentBlock, RawJson, ToolCallContent } from '@signalbox/acp';
import { REF_MEMBER, refOf } from './content-ref.ts';

/**
 * A block, or an item of a tool call's content, that holds a reference where the protocol has a string. As
 * it came it would fit no type of the protocol; so it goes on inside one of an unknown type, which everybody
 * keeps and passes on.
 */
export interface ReferenceBlock {
  readonly type: typeof REFERENCE_BLOCK;
  /** The block as it came, with references in it: `refOf` tells which members are some. */
  readonly of: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** The type of a {@link ReferenceBlock}. */
export const REFERENCE_BLOCK = 'signalbox/ref';

/** The reference block that a block is; undefined for all others. */
export function referenceBlockOf(
  block: ContentBlock | ToolCallContent,
): ReferenceBlock | undefined {
  const given: { readonly type: string; readonly of?: unknown } = block;
  if (given.type !== REFERENCE_BLOCK || !isTyped(given.of)) return undefined;
  return { type: REFERENCE_BLOCK, of: given.of };
}

/** The decoded value of content blocks, an update or a tool call, with references as blocks. */
export function withReferenceBlocks(raw: RawJson): unknown {
  // Nearly nothing has any.
  if (!raw.text.includes(`"${REF_MEMBER}"`)) return raw.value;
  // The shared value may have been checked, which takes away what does not fit the protocol as it is.
  return wrap(JSON.parse(raw.text));
}

function wrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBlock);
  if (typeof value !== 'object' || value === null) return value;
  const wrapped: Record<string, unknown> = { ...value };
  for (const key of ['content', 'summary']) {
    const member = wrapped[key];
    if (Array.isArray(member)) wrapped[key] = member.map(toBlock);
    else if (member !== undefined) wrapped[key] = toBlock(member);
  }
  return wrapped;
}

function toBlock(block: unknown): unknown {
  if (!isTyped(block)) return block;
  if (block.type === 'content') return { ...block, content: toBlock(block['content']) };
  const resource = block['resource'];
  const isReferring = holdsReference(block) || (isRecord(resource) && holdsReference(resource));
  return isReferring ? { type: REFERENCE_BLOCK, of: block } : block;
}

function holdsReference(record: Readonly<Record<string, unknown>>): boolean {
  return Object.values(record).some((member) => refOf(member) !== undefined);
}

function isTyped(value: unknown): value is ReferenceBlock['of'] {
  return isRecord(value) && typeof value['type'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
