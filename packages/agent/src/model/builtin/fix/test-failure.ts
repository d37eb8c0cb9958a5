/** A place that the output of a test run names. */
export interface Frame {
  /** As it is printed; absolute or relative. */
  readonly path: string;
  readonly line: number;
}

/** What the output of a test run says about one failure. */
export interface TestFailure {
  readonly frames: readonly Frame[];
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

const ESCAPES = /\u001b\[[\d;]*[A-Za-z]/g;
const FRAME = /(?:file:\/\/)?((?:\/|\.{0,2}\/)?[\w@.-][^\s():'"]*\.[cm]?[jt]sx?):(\d+)(?::\d+)?/g;
const EXPECTED = [/^\s*expected: (.+?),?$/m, /^\s*Expected: +(.+?)$/m];
const ACTUAL = [/^\s*actual: (.+?),?$/m, /^\s*Received: +(.+?)$/m];
const COMPARED = /^\s*(\S+) !== (\S+)$/m;

/** Reads the output of node's test runner, and of others that print stack traces like it. */
export function readFailures(output: string): TestFailure[] {
  // Node's runner begins each failure with where the test is. Other output is taken as one failure.
  const [whole = '', ...each] = output.replace(ESCAPES, '').split(/^test at (?=\S+:\d+:\d+$)/m);
  return (each.length > 0 ? each : [whole]).map(readFailure);
}

function readFailure(text: string): TestFailure {
  const frames: Frame[] = [];
  for (const [, path = '', line = ''] of text.matchAll(FRAME)) {
    if (!frames.some((frame) => frame.path === path && frame.line === Number(line))) {
      frames.push({ path, line: Number(line) });
    }
  }
  const compared = COMPARED.exec(text);
  return {
    frames,
    expected: first(EXPECTED, text) ?? compared?.[2],
    actual: first(ACTUAL, text) ?? compared?.[1],
  };
}

/** The frames that lie in known files, by their paths below a directory. */
export function framesIn(
  { frames }: TestFailure,
  directory: string,
  files: ReadonlySet<string>,
): Frame[] {
  return frames.flatMap(({ path, line }) => {
    const below = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
    const known = below.replace(/^\.\//, '');
    return files.has(known) ? [{ path: known, line }] : [];
  });
}

function first(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
