import type { PermissionOption } from '@signalbox/acp';
import { toExactLine } from '@signalbox/core';
import { permissionKeys } from '../terminal/permission-keys.ts';
import type { Style } from './style.ts';

/** The answers to a permission request, in a line. @param deny what says no without an option. */
export function choicesText(
  options: readonly PermissionOption[],
  deny: string,
  style: Style,
): string {
  const choices = permissionKeys(options).map(
    ({ key, option }) => `${style.bold(`[${key}]`)} ${toExactLine(option.name)}`,
  );
  return `  ${choices.join('  ')}  ${style.bold(`[${deny}]`)} deny\n`;
}
