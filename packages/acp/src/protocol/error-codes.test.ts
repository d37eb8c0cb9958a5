import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ErrorCode } from './error-codes.ts';

test('names every error code of the schema, and no other', async () => {
  const url = import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
  const schema = JSON.parse(await readFile(new URL(url), 'utf8')) as {
    $defs: { ErrorCode: { anyOf: { const?: number }[] } };
  };
  const codes = schema.$defs.ErrorCode.anyOf.flatMap((part) => part.const ?? []);
  expect(Object.values(ErrorCode).sort()).toEqual(codes.sort());
});
