// Installs whatever is missing, then runs the program of this repository that is the first argument, with the others.
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const { node, env } = await setUp();
  const { status } = await supervise(node, process.argv.slice(2), { cwd: ROOT, env });
  return status;
});
