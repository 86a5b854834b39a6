import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'tooling/*'],
    // One less is the default. Most of the time goes by while programs are started and waited for.
    maxWorkers: '100%',
  },
});
