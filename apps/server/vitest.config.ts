import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['../../tooling/test-postgres/src/global-setup.ts'],
    // Whole servers start and stop here, each with a PostgreSQL of its own.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
