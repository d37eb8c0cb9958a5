import { defineArea } from './requirement.ts';

/** MCP servers in session setup. */
export const MCP_SERVERS = defineArea('MCP', 'MCP servers in session setup', [
  {
    id: 'R-MCP-01',
    bound: 'agent',
    level: 'MUST',
    source: 'D',
    kind: 'triggered',
    sentence: 'Support stdio MCP servers.',
  },
  {
    id: 'R-MCP-02',
    bound: 'client',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence:
      'Send stdio entries with name, command, args (array) and env (array of {name,value}); all four present in v1.',
  },
  {
    id: 'R-MCP-03',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Send an absolute path as MCP `command`.',
  },
  {
    id: 'R-MCP-04',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence:
      'Use `type:"http"` servers only when mcpCapabilities.http is true, `type:"sse"` only when mcpCapabilities.sse is true.',
  },
  {
    id: 'R-MCP-05',
    bound: 'client',
    level: 'MUST',
    source: 'S',
    kind: 'passive',
    sentence: 'Send http/sse entries with type, name, url and headers (array of {name,value}).',
  },
  {
    id: 'R-MCP-06',
    bound: 'agent',
    level: 'SHOULD',
    source: 'D',
    kind: 'triggered',
    sentence: 'Connect to every server the client lists.',
  },
  {
    id: 'R-MCP-07',
    bound: 'agent',
    level: 'SHOULD',
    source: 'D',
    kind: 'passive',
    sentence: 'New agents should support HTTP MCP servers.',
  },
  {
    id: 'R-MCP-08',
    bound: 'agent',
    level: 'MUST',
    source: 'I',
    kind: 'triggered',
    sentence: 'Apply the given env, args and headers exactly.',
  },
  {
    id: 'R-MCP-09',
    bound: 'agent',
    level: 'SHOULD',
    source: 'I',
    kind: 'active',
    sentence:
      'Refuse a server entry whose transport was not advertised or that is malformed with -32602.',
  },
  {
    id: 'R-MCP-10',
    bound: 'client',
    level: 'MAY',
    source: 'D',
    kind: 'passive',
    sentence: 'Offer own tools by listing its own MCP server.',
  },
  {
    id: 'R-MCP-11',
    bound: 'client',
    level: 'MUST',
    source: 'D',
    kind: 'passive',
    sentence: 'Send the MCP server list again on load and resume.',
  },
]);
