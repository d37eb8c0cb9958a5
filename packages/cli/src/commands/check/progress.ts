/** Moves to the beginning of the line and clears it. */
const CLEAR = '\r\u001b[K';

/** Says on stderr how far a check is: on one line of a terminal, on a line each elsewhere. */
export function showProgress(name: string, done: number, total: number): void {
  const text = `${String(done).padStart(String(total).length)}/${total} ${name}`;
  process.stderr.write(process.stderr.isTTY ? `${CLEAR}${text}` : `${text}\n`);
}

/** Takes the line of progress off a terminal. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR);
}
