import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Reading and compiling the sources is most of what a short command does. The cache lies beside the sources, where
// nobody can tamper with it who could not change them; Node's own place for it is in a folder that all users share.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { runProcess } = await import('./run-process.ts');
await runProcess();
