import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Processes start and stop here, and may have to wait for each other.
  test: { testTimeout: 30_000 },
});
