import { memberText, RawJson, type RequestMessage, type RpcError } from '@signalbox/acp';
import type { PromptId, TakenContent } from '@signalbox/core';
import { invalidParams } from './to-rpc-error.ts';

/** Blocks that an agent takes only if it says so, and the capability by which it does. */
const GATED: Readonly<Record<string, keyof TakenContent>> = {
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

/** Why an agent does not take a prompt: a block of it that the agent did not say it takes. */
export function refusalOf(content: RawJson, taken: TakenContent | undefined): RpcError | undefined {
  const blocks = content.value as ({ readonly type?: unknown } | null)[];
  for (const [index, block] of blocks.entries()) {
    const type = block?.type;
    const needed = typeof type === 'string' ? GATED[type] : undefined;
    if (needed === undefined || taken?.[needed] === true) continue;
    const message = `/prompt/${index} is of type "${String(type)}", which this agent does not take`;
    return invalidParams(message, { missing: `promptCapabilities.${needed}` });
  }
  return undefined;
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
