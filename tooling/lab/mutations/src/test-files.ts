import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedTest } from './requirements.ts';

const TEST_FILES = '{packages,apps,tooling,tooling/lab}/*/{src,testing}/**/*.test.ts';
const SUITES = 'packages/domain/testing/contracts/*-contracts.ts';
const DECLARED = /export function (\w+Contracts?)\(/;

/**
 * Returns the paths, from the root, of the files that run a test: its own, or all that run its contract suite, directly
 * or in a list.
 */
export function testFilesOf(root: string, { path }: NamedTest): readonly string[] {
  if (path.endsWith('.test.ts')) return [path];
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const contract = DECLARED.exec(read(path))?.[1];
  if (contract === undefined) throw new Error(`${path} is neither a test file nor a contract suite`);
  const isIn = (text: string) => new RegExp(`\\b${contract}\\b`).test(text);
  const lists = globSync(SUITES, { cwd: root }).map(read).filter(isIn);
  const runners = [contract, ...lists.flatMap((text) => DECLARED.exec(text)?.[1] ?? [])];
  const call = new RegExp(`\\b(${runners.join('|')})\\(`);
  return globSync(TEST_FILES, { cwd: root }).filter((file) => call.test(read(file)));
}
