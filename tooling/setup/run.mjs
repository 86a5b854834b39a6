// Installs whatever is missing, with `--browser` also the browser of the tests, with `--site` the tools of the site. Then
// runs a program of this repository: the next argument is its path, the others are its arguments.
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { partsOf, ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const args = process.argv.slice(2);
  const parts = partsOf(args[0]);
  const { node, env } = await setUp(parts);
  const { status } = await supervise(node, args.slice(parts.length), { cwd: ROOT, env });
  return status;
});
