import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run of the tests a folder for temporary files of its own, which tests and the programs that they start find
 * by TMPDIR, and removes it at the end. So nothing is left on a machine, also of a test that was killed.
 *
 * @returns ends it.
 * @throws Error at the end, when tests that passed have left something of ours behind: who clears away knows that it
 * is needed no more.
 */
export default function openTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-tests-'));
  process.env['TMPDIR'] = folder;
  return () => {
    const left = readdirSync(folder).filter((name) => OURS.test(name));
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (left.length === 0) return;
    throw new Error(
      `Tests have left behind, in their folder for temporary files: ${left.join(', ')}`,
    );
  };
}

/** What browsers, compilers and other programs keep there is their own. */
const OURS = /^(signalbox|kit)-/;
