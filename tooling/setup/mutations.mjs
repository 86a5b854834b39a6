// npm run mutations: removes each protection and runs the tests that guard it.
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const { node, env } = await setUp();
  const { status } = await supervise(node, ['tooling/mutations/src/main.ts', ...process.argv.slice(2)], {
    cwd: ROOT,
    env,
  });
  return status;
});
