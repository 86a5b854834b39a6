/** The programs of a checkout, by the names of their bundles. */
export type Program = 'gatehouse' | 'gatehouse-server';

/**
 * The file that a test starts a program with. Loading sources takes more than what most programs do then, so it is the program's
 * bundle where this run has a current one. `vitest.config.ts` names it in the environment.
 *
 * @param sources the file that starts it from its sources
 * @param settings those that it gets: modules that `NODE_OPTIONS` preloads change sources
 */
export function programFile(
  program: Program,
  sources: string,
  settings: Readonly<Record<string, string>> = {},
): string {
  return 'NODE_OPTIONS' in settings ? sources : process.env[BUNDLES[program]] || sources;
}

const BUNDLES = { gatehouse: 'GATEHOUSE_BUNDLE', 'gatehouse-server': 'GATEHOUSE_SERVER_BUNDLE' } as const;
