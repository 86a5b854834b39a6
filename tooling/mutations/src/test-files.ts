import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedTest } from './requirements.ts';

const TEST_FILES = '{packages,apps,tooling}/*/{src,testing}/**/*.test.ts';

/** Returns the files that run a test: its own, or all that run its contract suite. From the root. */
export function testFilesOf(root: string, { path }: NamedTest): readonly string[] {
  if (path.endsWith('.test.ts')) return [path];
  const [, contract] = /export function (\w+Contract)\(/.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  if (contract === undefined) throw new Error(`${path} is neither a test file nor a contract suite`);
  const call = new RegExp(`\\b${contract}\\(`);
  return globSync(TEST_FILES, { cwd: root }).filter((file) =>
    call.test(readFileSync(join(root, file), 'utf8')),
  );
}
