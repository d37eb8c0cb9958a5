const LINE_FEED = 10;

/** Events of the usual shape that stood one behind the other. */
export interface UsualEvents {
  /** Where the first one of another shape begins, or one that is not complete. */
  readonly end: number;
  /** The id of the last one; undefined if there was none. */
  readonly lastId: string | undefined;
}

/** Whether {@link takeUsualEvents} may look at a text: a line ends by a line feed in it, and each id is one. */
export function mayBeUsual(text: string): boolean {
  return !text.includes('\r') && !text.includes('\0');
}

/**
 * Takes the events out of a text that have the shape in which they come by the thousand: a line `id: …`, one
 * line `data: …` and an empty line. All others are left to a parser that knows the whole grammar, which
 * takes twice as long.
 *
 * @param start where an event begins.
 * @param frames gets their data, unless it is empty.
 */
export function takeUsualEvents(text: string, start: number, frames: string[]): UsualEvents {
  let at = start;
  let idAt = -1;
  let idEnd = -1;
  while (text.startsWith('id: ', at)) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0 || !text.startsWith('data: ', lineEnd + 1)) break;
    const dataAt = lineEnd + 1 + 'data: '.length;
    const end = text.indexOf('\n', dataAt);
    if (end < 0 || text.charCodeAt(end + 1) !== LINE_FEED) break;
    if (end > dataAt) frames.push(text.slice(dataAt, end));
    idAt = at + 'id: '.length;
    idEnd = lineEnd;
    at = end + 2;
  }
  return { end: at, lastId: idAt < 0 ? undefined : text.slice(idAt, idEnd) };
}
