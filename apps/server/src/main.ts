import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiling the sources is a third of a start, and the code that strips their types stays in memory. The cache is
// beside the sources, so that only users who can change the sources can change it; Node's default is a folder that all
// users share. If it cannot be written, the server starts without it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { run } = await import('./run.ts');
await run();
process.exit();
