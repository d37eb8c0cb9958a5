import { parsePointer } from '../json/pointer.ts';
import { scanJson, type JsonPath } from '../json/scan-json.ts';
import { REF_DEPTH_MAX } from './content-ref.ts';

/**
 * The string that a JSON pointer names in an event's text; undefined when there is none, or when it lies
 * deeper than {@link REF_DEPTH_MAX}. Takes time in proportion to the text, whatever the pointer. Where an
 * object has a key twice, its last string counts.
 *
 * @param eventJsonText the text of one event.
 * @param pointer as in a {@link ContentRef}; it may come from a client and be anything.
 */
export function stringAt(eventJsonText: string, pointer: string): string | undefined {
  const keys = parsePointer(pointer);
  if (keys === undefined || keys.length > REF_DEPTH_MAX) return undefined;
  let place: readonly [number, number] | undefined;
  scanJson(eventJsonText, (start, end, path) => {
    if (eventJsonText[start] === '"' && isAt(path, keys)) place = [start, end];
  });
  return place === undefined ? undefined : (JSON.parse(eventJsonText.slice(...place)) as string);
}

function isAt(path: JsonPath, keys: readonly string[]): boolean {
  if (path.length !== keys.length) return false;
  // Neighbours differ at their ends.
  for (let depth = path.length - 1; depth >= 0; depth--) {
    if (String(path[depth]) !== keys[depth]) return false;
  }
  return true;
}
