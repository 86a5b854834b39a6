import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Command lines that load what others need, too; those that find no database end before they change anything. */
const RUNS = [
  ['gatehouse.js', 'token', 'list'],
  ['gatehouse.js', 'org', 'list', '--help'],
  ['gatehouse.js', '--version'],
  ['gatehouse-server.js'],
];

/**
 * Keeps what V8 compiles of the programs in the image, whose user cannot write it. V8 takes it on machines whose processor has the
 * same features as this one; others compile as they always did.
 * @param {string} programs
 */
export async function warmCompileCache(programs) {
  for (const [program = '', ...args] of RUNS) {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: 'none' };
    const child = spawn(process.execPath, [join(programs, program), ...args], { env, stdio: 'ignore' });
    await once(child, 'exit');
  }
  const cache = join(programs, 'compiled');
  for (const path of readdirSync(cache, { recursive: true, encoding: 'utf8' })) {
    // Node lets only the user who has written it read it.
    if (statSync(join(cache, path)).isFile()) chmodSync(join(cache, path), 0o644);
  }
}
