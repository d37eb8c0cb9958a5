/** The direction of imports; ARCHITECTURE.md says why. A package is used by its name only. */
const layer = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: to },
});

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    layer(
      'acp-stands-alone',
      '^packages/acp/',
      '^packages/(core|host|agent|conformance|client|server|cli)/',
    ),
    layer(
      'core-stands-on-acp',
      '^packages/core/',
      '^packages/(host|agent|conformance|client|server|cli)/',
    ),
    layer(
      'host-stands-on-core',
      '^packages/host/',
      '^packages/(agent|conformance|client|server|cli)/',
    ),
    layer(
      'client-stands-on-core',
      '^packages/client/',
      '^packages/(host|agent|conformance|server|cli)/',
    ),
    layer(
      'server-stands-on-host',
      '^packages/server/',
      '^packages/(agent|conformance|client|cli)/',
    ),
    layer(
      'workbench-stands-on-client',
      '^apps/workbench/',
      '^packages/(host|agent|conformance|server|cli)/',
    ),
    layer(
      'agent-stands-on-acp',
      '^packages/agent/',
      '^packages/(core|host|conformance|client|server|cli)/',
    ),
    layer(
      'conformance-stands-on-acp',
      '^packages/conformance/',
      '^packages/(core|host|agent|client|server|cli)/',
    ),
    layer(
      'protocol-knows-no-jsonrpc',
      '^packages/acp/src/protocol/',
      '^packages/acp/src/(jsonrpc|transport|connection)/',
    ),
    layer(
      'jsonrpc-knows-no-acp',
      '^packages/acp/src/jsonrpc/',
      '^packages/acp/src/(protocol|transport|connection)/',
    ),
    layer(
      'transport-knows-jsonrpc-only',
      '^packages/acp/src/transport/',
      '^packages/acp/src/(protocol|connection)/',
    ),
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'acp-core-entry-is-browser-safe',
      severity: 'error',
      from: { path: '^packages/acp/src/(jsonrpc|protocol|connection)/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-way-inside-another-package',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/([^/]+)/src/',
        pathNot: ['^packages/$1/', '/src/(index|stdio|server|node-client|node)\\.ts$'],
      },
    },
    {
      name: 'dependencies-are-declared',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '(\\.test\\.ts$|/src/testing/)' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown', 'undetermined'],
        pathNot: '^packages/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@signalbox/source', 'import', 'node', 'default'],
    },
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
};
