import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests read the packages' sources, so an edit is tested without a build. */
export default defineConfig({
  resolve: { conditions: ['@signalbox/source'] },
  ssr: { resolve: { conditions: ['@signalbox/source', 'node', 'import', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: 'node',
    globalSetup: './tests/support/temporary-folder.ts',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    // One core less than there are, as is the default, would be one of two, and most tests wait for processes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    server: { deps: { inline: [/@signalbox\//] } },
  },
});
