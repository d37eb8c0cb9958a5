/**
 * Where our validators are wider than the published schema, on purpose. This is the whole list.
 * Everything else follows the schema and its `x-deserialize-*` marks to the letter.
 */

/**
 * Closed unions whose unknown string tag is accepted and kept as it is: a newer peer may send a
 * variant we do not know, and the host forwards and shows what it does not understand. A missing
 * or non-string tag still fails.
 */
export const KEEP_UNKNOWN_VARIANTS = new Set(['SessionUpdate', 'ContentBlock', 'ToolCallContent']);

/**
 * Closed enumerations that are read as plain strings.
 * - PermissionOptionKind: one option of an unknown kind must not lose the whole request; the host
 *   shows such an option to people and never selects it by itself.
 * - StringFormat: a form must not be refused only because a string format is unknown (R-ELI-25).
 */
export const READ_AS_STRING = new Set(['PermissionOptionKind', 'StringFormat']);
