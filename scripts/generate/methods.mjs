/** The methods of a schema, sorted by name, from its `x-method` and `x-side` marks. */
export function readMethods(schema) {
  const methods = new Map();
  for (const [definition, node] of Object.entries(schema.$defs)) {
    const name = node['x-method'];
    if (name === undefined) continue;
    const method = methods.get(name) ?? { name, side: node['x-side'] };
    methods.set(name, method);
    if (method.side !== node['x-side']) throw new Error(`${name}: two sides`);
    if (definition.endsWith('Response')) method.result = definition;
    else method.params = definition;
    if (method.params !== definition) continue;
    method.kind = definition.endsWith('Notification') ? 'notification' : 'request';
    method.sessionScoped = (node.required ?? []).includes('sessionId');
  }
  for (const { name, params, kind, result } of methods.values()) {
    const isWhole = params !== undefined && (kind === 'request') === (result !== undefined);
    if (!isWhole) throw new Error(`${name}: params or result are missing in the schema`);
  }
  return [...methods.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The source of `methods.gen.ts`. */
export function generateMethods(methods, banner) {
  const quote = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
  const entry = ({ name, ...method }) => {
    const keys = ['side', 'kind', 'sessionScoped', 'params', 'result'];
    const members = keys.filter((key) => method[key] !== undefined);
    const lines = members.map((key) => `    ${key}: ${quote(method[key])},`);
    return [`  '${name}': {`, ...lines, '  },'].join('\n');
  };
  return [
    banner,
    '/**',
    ' * Every method of the protocol: the side that handles it, whether it is a request or a',
    ' * notification, whether its params always name a session, and the definitions of its params',
    ' * and result.',
    ' */',
    'export const METHOD_TABLE = {',
    ...methods.map(entry),
    '} as const;\n',
  ].join('\n');
}
