// Stands for npm and `npm test`: the first starts the second, which supervises a short run of tests with a database.
// Prints both process ids, and the output of the run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { supervise } from '../src/supervise.mjs';
import { ROOT } from '../src/workspace.mjs';

if (process.argv[2] === 'supervise') {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const tests = 'tooling/test-database/src/create-test-database.test.ts';
  await supervise(process.execPath, [vitest, 'run', tests], { cwd: ROOT, env: process.env });
} else {
  const args = [fileURLToPath(import.meta.url), 'supervise'];
  const env = { ...process.env, npm_lifecycle_event: 'test' };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  console.log(`npm ${process.pid}\nlauncher ${child.pid}`);
  setInterval(() => undefined, 60_000);
}
