/**
 * Compares two texts by Unicode code point, which is the order of their UTF-8 bytes and so the order
 * in which every storage engine lists keys. JavaScript's own order differs above U+D7FF.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
}

/** A surrogate stands for a code point above U+FFFF, so it ranks after every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
