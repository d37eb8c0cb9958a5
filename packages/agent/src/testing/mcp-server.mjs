// A small MCP server for tests, without any package: node mcp-server.mjs <mode> [anything …]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [mode] = process.argv.slice(2);
const cancelled = [];

const TOOLS = {
  echo: (input) => ({ content: [{ type: 'text', text: `echo ${input.text}` }] }),
  fail: () => ({ isError: true, content: [{ type: 'text', text: 'it failed' }] }),
  surroundings: () => {
    const { env, argv } = process;
    return structured({ args: argv.slice(2), env: { ...env }, cwd: process.cwd() });
  },
  wait: () => undefined,
  cancelled: () => structured({ cancelled }),
  crash: () => {
    console.error('the last words');
    process.exit(4);
  },
};

function structured(data) {
  return { content: [], structuredContent: data };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function answer({ id, method, params }) {
  if (method === 'notifications/cancelled') cancelled.push(params.requestId);
  if (id === undefined) return;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'fixture', version: '1' };
    const capabilities = mode === 'toolless' ? {} : { tools: {} };
    send({ id, result: { protocolVersion, capabilities, serverInfo } });
  } else if (method === 'tools/list') {
    const tools = Object.keys(TOOLS).map((name) => {
      const title = name === 'echo' ? { title: 'Say it again' } : {};
      return { name, ...title, description: `The tool ${name}`, inputSchema: { type: 'object' } };
    });
    send({ id, result: { tools } });
  } else if (method === 'tools/call') {
    const tool = TOOLS[params.name];
    const result = tool?.(params.arguments);
    if (result !== undefined) send({ id, result });
    else if (tool === undefined) send({ id, error: { code: -32602, message: 'no such tool' } });
  } else {
    send({ id, error: { code: -32601, message: 'no such method' } });
  }
}

if (mode === 'exit') {
  console.error('no licence');
  process.exit(3);
}
if (mode === 'noisy') {
  console.log('Welcome!\n\n{"half": ');
  // More than a pipe holds, so that a client that does not read it is waited for.
  process.stderr.write('x'.repeat(300_000));
}
if (mode === 'stubborn') {
  // Neither the end of its input nor SIGTERM ends it, and its child is in a group of its own.
  setInterval(() => undefined, 60_000);
  process.on('SIGTERM', () => undefined);
  const shell = `sleep 300; : ${process.argv[3]}`;
  spawn('sh', ['-c', shell], { detached: true, stdio: 'inherit' }).unref();
}
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  if (mode !== 'hang') answer(JSON.parse(line));
});
