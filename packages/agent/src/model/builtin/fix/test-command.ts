/** The command that runs a project's tests, from the text of its package.json if there is one. */
export function testCommand(manifest: string | undefined): string {
  const script = testScript(manifest);
  if (script === undefined) return 'node --test';
  // A script that only needs node needs no package manager around it, which takes its time.
  return /^node\s/.test(script) ? script : 'npm test';
}

function testScript(manifest: string | undefined): string | undefined {
  if (manifest === undefined) return undefined;
  try {
    const { scripts } = JSON.parse(manifest) as { scripts?: { test?: unknown } };
    return typeof scripts?.test === 'string' ? scripts.test.trim() : undefined;
  } catch {
    return undefined;
  }
}
