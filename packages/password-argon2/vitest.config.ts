import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Threads are started and passwords hashed, on machines that others use, too.
  test: { testTimeout: 90_000, hookTimeout: 60_000 },
});
