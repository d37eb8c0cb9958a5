import type { HttpFetchResponse } from './http-fetch.ts';

/**
 * The body of an answer as text. It is read until there are `lengthMax` characters; the rest is given up.
 *
 * @throws whatever the reading throws when the answer is cut off.
 */
export async function readText({ body }: HttpFetchResponse, lengthMax: number): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < lengthMax) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => undefined);
  return text.slice(0, lengthMax);
}
