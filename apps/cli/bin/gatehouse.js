// The command line, from its sources; the program `gatehouse` at the root of a checkout runs its bundle. Plain JavaScript,
// because it enables the cache of compiled sources before any TypeScript is read: cached sources need no types stripped, and
// loading the code that strips them takes 50 ms. The cache is beside the sources, where only users who can change the sources
// can change it; Node's default is a folder that all users share.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

// Scripts for shells call the command by its own path.
process.argv[1] = fileURLToPath(new URL('../../../gatehouse', import.meta.url));

const { runProcess } = await import('../src/run-process.ts');
await runProcess();
