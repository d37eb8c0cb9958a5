import type { PermissionOption } from '@signalbox/acp';

/** One way to answer a permission request with a key. */
export interface PermissionKey {
  readonly key: string;
  readonly option: PermissionOption;
}

const LETTERS: Readonly<Record<string, string>> = {
  allow_once: 'y',
  allow_always: 'a',
  reject_once: 'n',
  reject_always: 'N',
};

/**
 * The keys for the offered options, in their order. The usual letters are given where they are clear;
 * options that share a kind, or have an unknown one, get a number, because they can only be told apart
 * by what they say (B55). No key stands for two options; what is beyond the numbers has no key.
 */
export function permissionKeys(options: readonly PermissionOption[]): PermissionKey[] {
  const kinds = options.map(({ kind }) => kind as string);
  return options.flatMap((option, index) => {
    const isAlone = kinds.indexOf(option.kind) === kinds.lastIndexOf(option.kind);
    const letter = isAlone ? LETTERS[option.kind] : undefined;
    const key = letter ?? NUMBERS[index];
    return key === undefined ? [] : [{ key, option }];
  });
}

/** By the place of the option. */
const NUMBERS: readonly string[] = Array.from('123456789');
