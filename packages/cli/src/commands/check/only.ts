import { AREAS, findRequirement } from '@signalbox/conformance';
import { UsageError } from '../../usage-error.ts';

/**
 * The ids of requirements that `--only` names: ids themselves, and codes of areas for all that is in
 * them, in any case and separated by commas or spaces.
 *
 * @throws UsageError for a name that is neither.
 */
export function toRequirementIds(named: readonly string[]): readonly string[] {
  const names = named.flatMap((each) => each.split(',')).map((name) => name.trim().toUpperCase());
  return names.filter((name) => name !== '').flatMap(idsOf);
}

function idsOf(name: string): readonly string[] {
  if (findRequirement(name) !== undefined) return [name];
  const area = AREAS.find(({ code }) => code === name);
  if (area !== undefined) return area.requirements.map(({ id }) => id);
  const codes = AREAS.map(({ code }) => code).join(', ');
  throw new UsageError(
    `There is no requirement and no area "${name}". Requirements look like R-PRM-04, areas are ${codes}`,
  );
}
