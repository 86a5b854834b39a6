import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { globalSetup: ['../../tooling/test-postgres/src/global-setup.ts'] },
});
