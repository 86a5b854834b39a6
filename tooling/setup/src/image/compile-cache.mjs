import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Stores V8's compiled code of the server in the image, whose user cannot write there. V8 uses it on machines whose
 * processor has the same features as this one; others compile as usual. The bundler has compiled the command line already.
 * @param {string} programs
 */
export async function warmCompileCache(programs) {
  // Without a setting that is right, the server ends as soon as it has loaded.
  const server = [join(programs, 'gatehouse-server.js')];
  await once(spawn(process.execPath, server, { env: { PORT: 'none' }, stdio: 'ignore' }), 'exit');
  const cache = join(programs, 'compiled');
  for (const path of readdirSync(cache, { recursive: true, encoding: 'utf8' })) {
    // Node makes the cache readable only for the user who wrote it.
    if (statSync(join(cache, path)).isFile()) chmodSync(join(cache, path), 0o644);
  }
}
