/** The newest protocol version that this package speaks. */
export const PROTOCOL_VERSION = 1;

const SUPPORTED_VERSIONS: readonly number[] = [PROTOCOL_VERSION];

/** Whether both sides can go on with this version; a client disconnects if not (R-INI-09). */
export function isSupportedVersion(version: number): boolean {
  return SUPPORTED_VERSIONS.includes(version);
}

/**
 * The version an agent answers to `initialize`: the requested one if it is supported, else the
 * newest that is (R-INI-07, R-INI-08). Never an error.
 */
export function negotiateVersion(requested: number): number {
  return isSupportedVersion(requested) ? requested : PROTOCOL_VERSION;
}
