#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// An older one would end without a word, in the code of the journal.
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`signalbox: Node ${process.versions.node} is too old; 22.13 is needed\n`);
  process.exit(2);
}
const { main } = await import('../dist/main.js');

await main(process.argv);
