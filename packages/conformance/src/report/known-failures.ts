import { at, parseJson } from '../json/json.ts';
import type { KnownFailure } from '../probes/agent/options.ts';
import { findRequirement } from '../requirements/all.ts';

/**
 * Reads the text of a list of known failures: `[{"id": "R-MCP-01", "reason": "no MCP servers yet"}]`.
 *
 * @throws SyntaxError that names the entry, when it is no such list or an id does not exist.
 */
export function parseKnownFailures(text: string): readonly KnownFailure[] {
  const list = parseJson(text);
  if (!Array.isArray(list)) throw new SyntaxError('known failures are a list of {id, reason}');
  return list.map((entry: unknown, place) => {
    const id = at(entry, 'id');
    const reason = at(entry, 'reason');
    if (typeof id !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
      throw new SyntaxError(`known failure ${place + 1} has no id or no reason`);
    }
    if (findRequirement(id) === undefined) {
      throw new SyntaxError(`known failure ${place + 1}: there is no requirement ${id}`);
    }
    return { id, reason };
  });
}
