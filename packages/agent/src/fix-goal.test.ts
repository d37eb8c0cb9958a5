import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createScratch, type Scratch } from './testing/scratch.ts';
import { select, TestClient } from './testing/client.ts';

const SAMPLE = fileURLToPath(new URL('../../../examples/broken-calculator', import.meta.url));

/** The sample project, repaired or with another mistake in it. */
async function copySample(change?: { file: string; from: string; to: string }): Promise<Scratch> {
  const scratch = await createScratch();
  await cp(SAMPLE, scratch.path, { recursive: true });
  if (change === undefined) return scratch;
  await replace(scratch, {
    file: 'src/discount.js',
    from: 'cents + percent',
    to: 'cents - percent',
  });
  await replace(scratch, change);
  return scratch;
}

async function replace(
  scratch: Scratch,
  { file, from, to }: { file: string; from: string; to: string },
): Promise<void> {
  const path = join(scratch.path, file);
  const text = await readFile(path, 'utf8');
  expect(text.split(from)).toHaveLength(2);
  await writeFile(path, text.replace(from, to));
}

test('fixes the failing test of the sample project and says what it changed', async () => {
  await using scratch = await copySample();
  const session = await TestClient.open(scratch.path);
  expect(await session.prompt('Fix the failing test')).toEqual({ stopReason: 'end_turn' });
  const text = await readFile(join(scratch.path, 'src/discount.js'), 'utf8');
  expect(text).toContain('return cents - percentOf(cents, percent);');
  expect(session.said).toContain('+ return cents - percentOf(cents, percent);');
  expect(await readdir(join(scratch.path, 'src'))).toHaveLength(4);
  const plan = session.updates('plan').at(-1)?.entries ?? [];
  expect(plan.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
});

const MISTAKES = [
  { what: 'a limit', file: 'src/discount.js', from: '>= BULK', to: '> BULK' },
  { what: 'a constant', file: 'src/shipping.js', from: 'GRAM_CENTS = 120', to: 'GRAM_CENTS = 130' },
  { what: 'a method', file: 'src/money.js', from: 'Math.round((', to: 'Math.floor((' },
  { what: 'an operator', file: 'src/cart.js', from: 'priceCents * line', to: 'priceCents + line' },
];

test.each(MISTAKES)(
  'finds $what that is wrong by trying',
  async (change) => {
    await using scratch = await copySample(change);
    const session = await TestClient.open(scratch.path);
    await session.prompt('Please make the tests pass.');
    expect(session.said).toContain('passes now');
    expect(await readFile(join(scratch.path, change.file), 'utf8')).not.toContain(change.to);
  },
  60_000,
);

test('leaves the files as they were when nothing helps', async () => {
  await using scratch = await createScratch({
    'a.js': 'export const a = (b) => b + 1;\n',
    'a.test.js':
      "import { equal } from 'node:assert';\nimport { test } from 'node:test';\n" +
      "import { a } from './a.js';\ntest('a', () => equal(a(1), 'never'));\n",
  });
  const session = await TestClient.open(scratch.path);
  await session.prompt('fix the failing test');
  expect(session.said).toContain('The files are as before');
  expect(await readFile(join(scratch.path, 'a.js'), 'utf8')).toBe(
    'export const a = (b) => b + 1;\n',
  );
}, 60_000);

test('says that there is nothing to fix when the tests pass', async () => {
  await using scratch = await createScratch({ 'package.json': '{"scripts":{"test":"node -e 0"}}' });
  const session = await TestClient.open(scratch.path);
  await session.prompt('fix the tests');
  expect(session.said).toContain('`node -e 0` passes already');
});

test('changes nothing and stops when its first change is rejected', async () => {
  await using scratch = await copySample();
  const before = await readFile(join(scratch.path, 'src/cart.js'), 'utf8');
  const session = await TestClient.open(scratch.path, {}, 'ask');
  session.client.answer = (request) =>
    select(request.toolCall.kind === 'edit' ? 'reject_once' : 'allow_once')(request);
  await session.prompt('fix the failing test');
  expect(session.client.permissions.map(({ toolCall }) => toolCall.kind)).toEqual([
    'execute',
    'edit',
  ]);
  expect(session.said).toContain('I stopped: Not run: the user rejected it');
  expect(await readFile(join(scratch.path, 'src/cart.js'), 'utf8')).toBe(before);
});
