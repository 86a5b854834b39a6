// Makes the root file system of the image in an empty folder: `node tooling/setup/image.mjs FOLDER`. The Dockerfile
// runs it where only Node and npm are installed; it installs the newer Node that the image needs.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chooseRuntime, environmentOf, isThere } from './src/runtime.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { bringToolchain } from './src/toolchain.mjs';
import { ROOT, TOOLCHAIN } from './src/workspace.mjs';

const ASSEMBLE = fileURLToPath(new URL('src/image/assemble.mjs', import.meta.url));

await runMain(async () => {
  const runtime = chooseRuntime();
  mkdirSync(TOOLCHAIN, { recursive: true });
  if (!isThere(runtime)) await bringToolchain(runtime);
  const args = [ASSEMBLE, ...process.argv.slice(2)];
  const { status } = await supervise(runtime.node, args, { cwd: ROOT, env: environmentOf(runtime) });
  return status;
});
