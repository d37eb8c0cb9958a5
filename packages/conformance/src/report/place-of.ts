import type { Observation } from '../findings/observation.ts';

/** Where a finding was made: the check, and the probe during which it looked. */
export function placeOf({ where, within }: Observation): string {
  return within === undefined ? where : `${where}; during: ${within}`;
}
