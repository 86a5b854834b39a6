import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['../../tooling/test-postgres/src/global-setup.ts'],
    // Contracts fill whole stores, on machines that others use, too.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
