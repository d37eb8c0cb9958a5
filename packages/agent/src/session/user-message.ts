import { fileURLToPath } from 'node:url';
import { ErrorCode, RpcError, type ContentBlock } from '@signalbox/acp';
import type { PromptResource, UserMessage } from '../model/model.ts';

/**
 * What a prompt says to the model.
 *
 * @throws RpcError -32602 for an empty prompt and for blocks that were not announced.
 */
export function toUserMessage(blocks: readonly ContentBlock[]): UserMessage {
  if (blocks.length === 0) throw new RpcError(ErrorCode.InvalidParams, 'the prompt is empty');
  const texts: string[] = [];
  const resources: PromptResource[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'resource_link':
        resources.push({ uri: block.uri, name: block.name, ...localPath(block.uri) });
        break;
      case 'resource': {
        const { resource } = block;
        const text = 'text' in resource ? { text: resource.text } : {};
        resources.push({ uri: resource.uri, ...localPath(resource.uri), ...text });
        break;
      }
      default:
        throw new RpcError(ErrorCode.InvalidParams, `this agent takes no ${block.type} content`);
    }
  }
  return { role: 'user', text: texts.join('\n'), resources };
}

function localPath(uri: string): { path: string } | Record<never, never> {
  if (!uri.startsWith('file:')) return {};
  try {
    return { path: fileURLToPath(uri) };
  } catch {
    return {};
  }
}
