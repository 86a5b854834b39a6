// npm run docs: writes the generated documents.
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { ROOT } from './src/workspace.mjs';

await runMain(async () => {
  const { node, env } = await setUp();
  const { status } = await supervise(node, ['tooling/checks/src/write-docs.ts'], { cwd: ROOT, env });
  return status;
});
