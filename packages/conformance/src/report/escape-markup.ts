import { printable } from './printable.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for XML and HTML, in elements and in quoted attributes. Line feeds stay. */
export function escapeMarkup(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? ''))
    .join('\n');
}
