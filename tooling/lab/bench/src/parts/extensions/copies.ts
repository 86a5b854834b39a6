import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copiedFiles } from '@gatehouse/new-resource/copy';

const DEPENDENCIES = fileURLToPath(new URL('../../../../../shift-notes/node_modules', import.meta.url));
const HOOK = new URL('copies-hook.ts', import.meta.url).href;

/**
 * Writes copies of the example extension into the folder, as `npm run new` makes them. Returns a function that returns
 * the settings of a server with the first `registered` of them.
 */
export async function writeCopies(folder: string, copies: number) {
  const modules: string[] = [];
  for (let copy = 1; copy <= copies; copy += 1) {
    const several = `shift-notes-${copy}`;
    for (const [path, text] of copiedFiles({ one: `shift-note-${copy}`, several })) {
      const to = join(folder, path);
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, text);
      if (path.endsWith(`/${several}/src/index.ts`)) modules.push(to);
    }
  }
  await symlink(DEPENDENCIES, join(folder, 'node_modules'));
  return (registered: number) => ({
    NODE_OPTIONS: `--import=${HOOK}`,
    COPIES: JSON.stringify(modules.slice(0, registered)),
    // A server's cache is beside its sources; there it would outlive the copies.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  });
}
