import { inject } from 'vitest';
import { copyCluster } from './cluster-template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder that the tests of this run copy; undefined where there is no embedded PostgreSQL. */
    clusterTemplate: string | undefined;
  }
}

/**
 * Makes an empty data folder one that was used before, for tests that are not about the first start: `initdb` takes
 * most of that. The package that calls it depends on `@gatehouse/test-database`.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const template = inject('clusterTemplate');
  if (template !== undefined) await copyCluster(template, dataDir);
}
