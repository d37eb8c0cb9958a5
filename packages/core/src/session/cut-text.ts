/** The start of a text, at most `lengthMax` UTF-16 units, never with half of a character at its end. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const last = text.charCodeAt(lengthMax - 1);
  const isHighHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighHalf ? lengthMax - 1 : lengthMax);
}
