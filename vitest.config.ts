import { defineConfig } from 'vitest/config';

/** Tests read the packages' sources, so an edit is tested without a build. */
export default defineConfig({
  resolve: { conditions: ['@signalbox/source'] },
  ssr: { resolve: { conditions: ['@signalbox/source', 'node', 'import', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    server: { deps: { inline: [/@signalbox\//] } },
  },
});
