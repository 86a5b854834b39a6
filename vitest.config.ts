import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'tooling/*'],
    // Most of the time goes by while programs are started and waited for.
    maxWorkers: 2 * availableParallelism(),
  },
});
