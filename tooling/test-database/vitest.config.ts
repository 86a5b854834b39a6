import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { globalSetup: ['../test-postgres/src/global-setup.ts'] },
});
