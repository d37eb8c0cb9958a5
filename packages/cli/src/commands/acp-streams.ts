import { toPrintable } from '@signalbox/core';

/** Stdin and stdout, which carry the protocol and nothing else. */
export function ownStreams(): [NodeJS.ReadStream, NodeJS.WriteStream] {
  // Commands end at once when nobody reads them; here agents have to be ended first.
  process.stdout.removeAllListeners('error');
  process.stderr.on('error', () => undefined);
  return [process.stdin, process.stdout];
}

/** Says something on stderr, which editors keep in their log. */
export function tellEditor(line: string): void {
  process.stderr.write(`signalbox: ${toPrintable(line)}\n`);
}
