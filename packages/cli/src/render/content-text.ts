import type { ContentBlock } from '@signalbox/acp';
import { toPrintable, toPrintableLine } from '@signalbox/core';

/** A content block as text; what is no text is named, never left out without a word (B81). */
export function contentText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return toPrintable(block.text);
    case 'image':
      return `[image ${toPrintableLine(block.mimeType)}, ${sizeOf(block.data)}]`;
    case 'audio':
      return `[audio ${toPrintableLine(block.mimeType)}, ${sizeOf(block.data)}]`;
    case 'resource_link':
      return `[${toPrintableLine(block.name)}: ${toPrintableLine(block.uri)}]`;
    case 'resource':
      return 'text' in block.resource
        ? toPrintable(block.resource.text)
        : `[resource ${toPrintableLine(block.resource.uri)}]`;
    default:
      return `[content of unknown type ${toPrintableLine(String((block as { type: unknown }).type))}]`;
  }
}

/** The size of base64 data. */
function sizeOf(data: string): string {
  return `${Math.ceil((data.length * 3) / 4 / 1024)} KiB`;
}
