/**
 * A tiny MCP server on stdio that writes down how it was started and what it was asked:
 * `node mcp-server-program.js <log file> [arguments to be checked]`. It must not import other packages,
 * since it is started by programs that know nothing of this one.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log = '', ...args] = process.argv.slice(2);
const { Kit_Mixed, KIT_EMPTY } = process.env;

note({ event: 'start', pid: process.pid, args, env: { Kit_Mixed, KIT_EMPTY } });
createInterface({ input: process.stdin })
  .on('line', take)
  .on('close', () => {
    note({ event: 'end' });
    process.exit(0);
  });

function take(line: string): void {
  const { id, method } = JSON.parse(line) as { id?: number | string; method?: string };
  note({ event: 'message', method });
  if (id === undefined || method === undefined) return;
  const result = RESULTS[method];
  const answer =
    result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}

function note(event: object): void {
  appendFileSync(log, `${JSON.stringify(event)}\n`);
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'kit', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'kit_tool', description: 'Does nothing.', inputSchema: { type: 'object' } }],
  },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  ping: {},
};
