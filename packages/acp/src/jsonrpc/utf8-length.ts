/** How many bytes a text has in UTF-8. Half a surrogate pair counts as the replacement character does. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const size = utf8SizeAt(text, at);
    bytes += size;
    at += size === 4 ? 2 : 1;
  }
  return bytes;
}

/** The bytes of the character at a place, from 1 to 4. Only one of 4 has two UTF-16 units. */
export function utf8SizeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdbff) return 3;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 4 : 3;
}

/** Whether a text has more bytes in UTF-8 than `bytesMax`. Only a text that is near to that is counted. */
export function isOverBytes(text: string, bytesMax: number): boolean {
  // A UTF-16 unit takes one byte at least and three at most.
  if (text.length > bytesMax) return true;
  return text.length * 3 > bytesMax && utf8Length(text) > bytesMax;
}
