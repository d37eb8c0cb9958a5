import type { PermissionOption } from '@signalbox/acp';
import { describe, expect, it } from 'vitest';
import { permissionKeys } from './permission-keys.ts';

function keysOf(...kinds: string[]): string[] {
  const options = kinds.map((kind, at) => ({ optionId: `${at}`, name: '', kind }));
  return permissionKeys(options as PermissionOption[]).map(
    ({ key, option }) => `${key}:${option.optionId}`,
  );
}

describe('the keys of a permission request', () => {
  it('are the usual letters where these are clear, and numbers elsewhere', () => {
    expect(keysOf('allow_once', 'allow_always', 'reject_once', 'reject_always')).toEqual([
      ...['y:0', 'a:1', 'n:2', 'N:3'],
    ]);
    expect(keysOf('allow_once', 'allow_once', 'reject_once', 'new')).toEqual([
      ...['1:0', '2:1', 'n:2', '4:3'],
    ]);
  });

  it('never stand for two options, however many an agent offers', () => {
    const many = keysOf(...Array.from({ length: 100 }, () => 'allow_once'), 'reject_once');
    expect(many).toEqual([...'123456789'].map((key, at) => `${key}:${at}`).concat('n:100'));
  });
});
