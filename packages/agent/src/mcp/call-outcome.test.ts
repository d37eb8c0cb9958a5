import { expect, test } from 'vitest';
import { toOutcome } from './call-outcome.ts';

test('all kinds of content become text, and the data is kept', () => {
  const content = [
    { type: 'text', text: 'a' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'resource_link', name: 'n', uri: 'x:/n' },
    { type: 'resource', resource: { uri: 'x:/t', text: 'inside' } },
  ] as const;
  const outcome = toOutcome({ content: [...content] });
  expect(outcome).toMatchObject({ isError: false, output: { content } });
  expect(outcome.text).toBe('a\n[image, image/png]\n[n: x:/n]\ninside');
});

test('a result without text is given as its data', () => {
  expect(toOutcome({ content: [], structuredContent: { a: 1 } }).text).toBe('{"a":1}');
  expect(toOutcome({ content: [] }).text).toBe('[no text]');
});

test('a result that is too long loses its middle', () => {
  const text = 'x'.repeat(1_000_000);
  const outcome = toOutcome({ content: [{ type: 'text', text }] });
  expect(outcome.text.length).toBeLessThan(70_000);
  expect(outcome.output).toEqual({ text: outcome.text });
});
