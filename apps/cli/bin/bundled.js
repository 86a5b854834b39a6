// The command line, as tooling/bundle bundles it.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What V8 has compiled is kept beside the bundle, so that only users who can change the bundle can change it; Node's default is a
// folder that all users share. The image's is made at another path than it is used at.
process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1';
enableCompileCache(join(import.meta.dirname, 'compiled'));

void import('../src/run-process.ts').then(({ runProcess }) => runProcess());
