import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// Where objects begin grows to tens of megabytes before the first record is read, and does not shrink again. Here,
// and not with a long list (see small-heap.ts), because then it is too late.
setFlagsFromString('--semi-space-growth-factor=1');

// Reading and compiling the sources is most of what a short command does. The cache lies beside the sources, where
// nobody can tamper with it who could not change them; Node's own place for it is in a folder that all users share.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { runProcess } = await import('./run-process.ts');
await runProcess();
