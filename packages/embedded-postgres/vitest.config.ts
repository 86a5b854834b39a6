import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Processes start and stop here. A server that was killed may take a minute to be ready: what is wrong with it is
  // then told by the code under test, and not by the clock of the tests.
  test: { testTimeout: 90_000 },
});
