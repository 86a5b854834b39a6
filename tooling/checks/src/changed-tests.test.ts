import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EXTENSIONS } from '@gatehouse/extensions';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const RELATED_TESTS = fileURLToPath(new URL('../testing/related-tests.ts', import.meta.url));
const SIGNER = fileURLToPath(new URL('../../../packages/token-jwt/src/jwt-token-signer.ts', import.meta.url));

test('a change runs the tests that import it, across packages, and those that start a program with it', async () => {
  const { stdout } = await run(process.execPath, [RELATED_TESTS, SIGNER]);
  const related = stdout.split('\n');
  expect(related).toContain('packages/token-jwt/src/jwt-token-signer.test.ts');
  expect(related).toContain('apps/cli/src/token-in-hand.test.ts');
  // It starts the server by its path, and imports nothing of it.
  expect(related).toContain('apps/server/src/start/process.test.ts');
  const own = ['token-jwt', ...EXTENSIONS.map(({ name }) => name)].join('|');
  const others = new RegExp(`^packages/(?!(${own})/)`);
  // Tests of extensions start the apps.
  expect(related.filter((path) => others.test(path))).toEqual([]);
});
