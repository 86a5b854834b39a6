import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Most of a short command's time is reading and compiling the sources. The cache is beside the sources, so that only
// users who can change the sources can change it; Node's default is a folder that all users share.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { runProcess } = await import('./run-process.ts');
await runProcess();
