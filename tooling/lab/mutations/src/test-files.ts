import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedTest } from './requirements.ts';

const TEST_FILES = '{packages,apps,tooling,tooling/lab}/*/{src,testing}/**/*.test.ts';
const SUITES = 'packages/domain/testing/contracts/*.ts';
const DECLARED = /export function (\w+Contracts?)\(/;

/**
 * Returns the paths, from the root, of the files that run a test: its own, or all that run its contract suite. A suite
 * may be run by another one, or be in a list.
 */
export function testFilesOf(root: string, { path }: NamedTest): readonly string[] {
  if (path.endsWith('.test.ts')) return [path];
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const contract = DECLARED.exec(read(path))?.[1];
  if (contract === undefined) throw new Error(`${path} is neither a test file nor a contract suite`);
  const runners = runnersOf(contract, globSync(SUITES, { cwd: root }).map(read));
  const call = new RegExp(`\\b(${runners.join('|')})\\(`);
  return globSync(TEST_FILES, { cwd: root }).filter((file) => call.test(read(file)));
}

/** Returns the suite and all suites that run it, by their names. */
function runnersOf(contract: string, suites: readonly string[]): readonly string[] {
  const runners = new Set([contract]);
  for (const runner of runners) {
    const isIn = new RegExp(`\\b${runner}\\b`);
    for (const text of suites) {
      const [, name] = DECLARED.exec(text) ?? [];
      if (name !== undefined && isIn.test(text)) runners.add(name);
    }
  }
  return [...runners];
}
