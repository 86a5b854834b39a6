// The server, as tooling/bundle bundles it. Those who start it pass Node the flags in node-flags.json.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// The code that V8 has compiled is kept beside the bundle, so that only users who can change the bundle can change it;
// Node's default is a folder that all users share. The cache of the image is made at another path than it is used at.
process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1';
enableCompileCache(join(import.meta.dirname, 'compiled'));

void import('../src/run.ts').then(async ({ run }) => {
  // Compiled code, also that of Node's own modules, is valid only for the flags that it was compiled with.
  flushCompileCache();
  await import('./v8-flags.js');
  await run();
  process.exit();
});
