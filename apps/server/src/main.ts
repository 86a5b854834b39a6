import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiling the sources is a third of a start, and what strips their types stays in memory. The cache lies beside the
// sources, where nobody can tamper with it who could not change them; Node's own place for it is in a folder that
// all users share. Where it cannot be written, the server starts without it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { run } = await import('./run.ts');
await run();
process.exit();
