import { defineConfig } from 'vitest/config';

export default defineConfig({
  // A killed server may take a minute to become ready: the code under test should report a failure, not a time-out of the
  // test.
  test: { testTimeout: 90_000 },
});
