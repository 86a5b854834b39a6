import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const RELATED_TESTS = fileURLToPath(new URL('../testing/related-tests.ts', import.meta.url));
const SIGNER = fileURLToPath(new URL('../../../packages/token-jwt/src/jwt-token-signer.ts', import.meta.url));

/** Tests of the signer, of packages that do not import it, and of the apps, which do. */
const ASKED = [
  ...['packages/token-jwt/', 'packages/token-paseto/', 'packages/queues/', 'packages/domain/src/tokens/'],
  ...['apps/cli/src/token-in-hand.test.ts', 'apps/cli/src/views/', 'apps/server/src/start/process.test.ts'],
];

test('a change runs the tests that import it, across packages, and those that start a program with it', async () => {
  const { stdout } = await run(process.execPath, [RELATED_TESTS, SIGNER, ...ASKED]);
  expect(stdout.trim().split('\n').toSorted()).toEqual([
    'apps/cli/src/token-in-hand.test.ts',
    // It starts the server by its path, and imports none of its files.
    'apps/server/src/start/process.test.ts',
    'packages/token-jwt/src/jwt-token-signer.test.ts',
    'packages/token-jwt/src/vectors.test.ts',
  ]);
});
