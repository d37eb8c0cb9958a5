const LENGTH_MAX = 400;

/** A text short enough for a report: its beginning and its end. */
export function excerpt(text: string, lengthMax: number = LENGTH_MAX): string {
  if (text.length <= lengthMax) return text;
  const tail = Math.floor(lengthMax / 4);
  const left = text.length - lengthMax;
  return `${text.slice(0, lengthMax - tail)} …(${left} more)… ${text.slice(-tail)}`;
}
