import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['../../tooling/test-postgres/src/global-setup.ts'],
    // Tests that run the program itself start a process for each command.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
