/** The part of a tool's name that stands for its server; only what models take in tool names. */
export function serverLabel(name: string): string {
  return plain(name) || 'server';
}

/** The name by which the model calls a tool of a server. */
export function toolName(label: string, tool: string): string {
  return `mcp__${label}__${plain(tool)}`;
}

/**
 * Takes a name, or the first of `name_2`, `name_3` and so on that is free. Two servers of one name are
 * both used, because the protocol does not make names unique (R-MCP-06).
 */
export function claimName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  taken.add(name);
  return name;
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
