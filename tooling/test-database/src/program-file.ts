/** The programs of a checkout, by the names of their bundles. */
export type Program = 'gatehouse' | 'gatehouse-server';

/**
 * Returns the file with which a test starts a program: its bundle, if this run has a current one, because loading sources takes
 * longer than most programs run. `vitest.config.ts` names the bundle in the environment.
 *
 * @param sources the file that starts the program from its sources
 * @param settings the program's settings: if `NODE_OPTIONS` preloads modules that change sources, the sources run
 */
export function programFile(
  program: Program,
  sources: string,
  settings: Readonly<Record<string, string>> = {},
): string {
  return 'NODE_OPTIONS' in settings ? sources : process.env[BUNDLES[program]] || sources;
}

const BUNDLES = { gatehouse: 'GATEHOUSE_BUNDLE', 'gatehouse-server': 'GATEHOUSE_SERVER_BUNDLE' } as const;
