import type { CallToolResult } from '@modelcontextprotocol/client';
import { HeadTail } from '../process/head-tail.ts';
import type { ToolOutcome } from '../tools/tool.ts';

const TEXT_BYTES_MAX = 64 * 1024;
const OUTPUT_LENGTH_MAX = 256 * 1024;

/**
 * What a server answered, as the outcome of a tool: its text for the model and the client, and all of
 * it as data. The middle of a long text, and data that is too long, are left out.
 */
export function toOutcome(result: CallToolResult): ToolOutcome {
  const { content, structuredContent, isError = false } = result;
  const said = content.map(blockText).join('\n');
  // Servers should also give structured results as text, but not all do.
  const isSilent = said === '' && structuredContent !== undefined;
  const text = bounded(isSilent ? JSON.stringify(structuredContent) : said);
  const data = { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
  const output = JSON.stringify(data).length > OUTPUT_LENGTH_MAX ? { text } : data;
  return { isError, text: text === '' ? '[no text]' : text, output };
}

function blockText(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}]`;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}]`;
  }
}

function bounded(text: string): string {
  const kept = new HeadTail(TEXT_BYTES_MAX);
  kept.push(Buffer.from(text));
  return kept.read().text;
}
