// Installs whatever is missing, with `--browser` also the browser of the tests. Then runs a program of this repository:
// the next argument is its path, the others are its arguments.
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
