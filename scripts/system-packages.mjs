// Programs that the tests of the browser and of the reverse proxy need and that npm does not bring.
// `npm test` calls this; `node scripts/system-packages.mjs` does the same by hand, on any Node from 18.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Under which names each program is known; Debian's package has the name of the program. */
const NAMES = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  nginx: ['nginx'],
  openssl: ['openssl'],
};

/** Where servers are, which people who are not root do not have on their PATH. */
const MORE_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin'];

const APT = 'apt-get -qq -o DPkg::Lock::Timeout=300';

/**
 * Installs packages as root. Debian starts a server that it installs; while the policy file is there it
 * does not. A policy of the machine's owner stays as it is.
 */
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\\nexit 101\\n' >$policy
  chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
${APT} update && ${APT} install -y --no-install-recommends "$@"
`;

/** @returns {string | undefined} the path of a program that can be run. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS];
  const paths = NAMES[name].flatMap((known) => folders.map((folder) => join(folder, known)));
  return paths.find(isExecutable);
}

/** @returns {string} what to do about programs that are not there. */
export function howToInstall(names) {
  return (
    `The tests need ${names.join(' and ')}, which this machine does not have.\n` +
    `On Debian: sudo apt-get install --no-install-recommends ${names.join(' ')}\n` +
    'Elsewhere: put programs of these names on PATH.\n'
  );
}

/** Makes sure that the programs are there. @returns {boolean} whether they are; if not, it says why. */
export function ensureSystemPackages() {
  const missing = Object.keys(NAMES).filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return true;
  const shell = rootShell();
  if (shell === undefined) {
    process.stderr.write(howToInstall(missing));
    return false;
  }
  process.stderr.write(`Installing what the tests need (${missing.join(', ')}) …\n`);
  const [command, ...args] = [...shell, '-c', INSTALL, 'install', ...missing];
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: Infinity,
  });
  const stillMissing = missing.filter((name) => findProgram(name) === undefined);
  if (stillMissing.length === 0) return true;
  const why = error?.message ?? `it ended with ${status}`;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}apt-get did not install them: ${why}.\n`);
  process.stderr.write(howToInstall(stillMissing));
  return false;
}

/** How to run a shell as root without asking anybody; undefined where that, or apt, is not possible. */
function rootShell() {
  if (!isExecutable('/usr/bin/apt-get')) return undefined;
  if (process.getuid?.() === 0) return ['/bin/sh'];
  const { status } = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return status === 0 ? ['sudo', '-n', '/bin/sh'] : undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const isCalled =
  process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isCalled && !ensureSystemPackages()) process.exit(1);
