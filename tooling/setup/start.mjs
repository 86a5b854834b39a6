// npm start: installs whatever is missing, then runs the server.
import { join } from 'node:path';
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const { node, env } = await setUp({ browser: false });
  const server = join(ROOT, 'apps', 'server', 'src', 'main.ts');
  const { status } = await supervise(node, [server, ...process.argv.slice(2)], {
    cwd: ROOT,
    env,
    channel: true,
  });
  return status;
});
