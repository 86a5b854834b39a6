// Installs whatever is missing, with the browser of the tests after `--browser`, then runs the program of this repository
// that is the first other argument, with the rest.
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const args = process.argv.slice(2);
  const browser = args[0] === '--browser';
  const { node, env } = await setUp({ browser });
  const { status } = await supervise(node, browser ? args.slice(1) : args, { cwd: ROOT, env });
  return status;
});
