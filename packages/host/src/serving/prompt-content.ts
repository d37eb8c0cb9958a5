import { memberText, RawJson, type PromptCapabilities, type RequestMessage } from '@signalbox/acp';
import type { PromptId } from '@signalbox/core';
import { invalidParams } from './to-rpc-error.ts';

/** Blocks that an agent takes only if it says so, and the capability by which it does. */
const GATED: Readonly<Record<string, 'image' | 'audio' | 'embeddedContext'>> = {
  image: 'image',
  audio: 'audio',
  resource: 'embeddedContext',
};

/** The member of `_meta` by which a prompt says what to do when a turn is running. */
export const WHEN_BUSY = 'signalbox/whenBusy';

/** The member of `_meta` by which a client names its prompt, so that sending it again runs nothing. */
export const PROMPT_ID = 'signalbox/promptId';

const PROMPT_ID_PATTERN = /^[\w-]{8,64}$/;

/** The content blocks of a prompt, exactly as sent. @throws RpcError -32602 when there are none. */
export function toContent(message: RequestMessage): RawJson {
  const params = memberText(message.text, 'params') ?? '{}';
  const content = new RawJson(memberText(params, 'prompt') ?? '[]');
  // An empty prompt means something else to each agent (R-PRM-17).
  if ((content.value as unknown[]).length === 0) throw invalidParams('/prompt must not be empty');
  return content;
}

/**
 * A block that the agent does not take would be dropped by some agents without a word (B81, R-PRM-04).
 *
 * @param capabilities undefined as long as nobody knows what the agent takes.
 * @throws RpcError -32602.
 */
export function assertTaken(content: RawJson, capabilities: PromptCapabilities | undefined): void {
  if (capabilities === undefined) return;
  const blocks = content.value as ({ readonly type?: unknown } | null)[];
  blocks.forEach((block, index) => {
    const type = block?.type;
    const needed = typeof type === 'string' ? GATED[type] : undefined;
    if (needed === undefined || capabilities[needed] === true) return;
    const message = `/prompt/${index} is of type "${String(type)}", which this agent does not take`;
    throw invalidParams(message, { missing: `promptCapabilities.${needed}` });
  });
}

/** What to do with a prompt while a turn is running. @throws RpcError -32602. */
export function toWhenBusy(meta: Record<string, unknown> | null | undefined): 'queue' | 'refuse' {
  const wanted = meta?.[WHEN_BUSY];
  if (wanted === undefined || wanted === 'queue') return 'queue';
  if (wanted === 'refuse') return 'refuse';
  throw invalidParams(`/_meta/${WHEN_BUSY} must be "queue" or "refuse"`);
}

/** The client's own name for a prompt. @throws RpcError -32602. */
export function toPromptId(meta: Record<string, unknown> | null | undefined): PromptId | undefined {
  const named = meta?.[PROMPT_ID];
  if (named === undefined) return undefined;
  if (typeof named === 'string' && PROMPT_ID_PATTERN.test(named)) return named as PromptId;
  throw invalidParams(`/_meta/${PROMPT_ID} must be 8 to 64 letters, digits, "_" or "-"`);
}
