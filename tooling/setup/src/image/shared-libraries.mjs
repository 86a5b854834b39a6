import { cpSync, existsSync, globSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runQuietly } from '../run-quietly.mjs';
import { SetUpError } from '../set-up-error.mjs';

/**
 * Copies the shared libraries of Node and its addons to the places where the loader looks for them.
 * @param {string} image
 * @returns {Promise<string[]>} the paths on this system
 */
export async function copySharedLibraries(image) {
  const addons = globSync('gatehouse/node_modules/.pnpm/**/*.node', { cwd: image });
  const libraries = new Set();
  for (const program of ['usr/local/bin/node', ...addons]) {
    for (const library of await librariesOf(join(image, program))) libraries.add(library);
  }
  for (const library of libraries) {
    const target = join(image, library);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(realpathSync(library), target);
  }
  return [...libraries].sort();
}

/**
 * @param {string} program
 * @returns {Promise<string[]>}
 */
async function librariesOf(program) {
  const { succeeded, output } = await runQuietly('ldd', [program], { cwd: '/' });
  if (!succeeded) throw new SetUpError(`ldd does not say what ${program} needs.`, output);
  const missing = /(\S+) => not found/.exec(output);
  if (missing) {
    throw new SetUpError(
      `This system lacks ${missing[1]}, which ${program} needs. On Debian: apt-get install libatomic1 libstdc++6`,
    );
  }
  return [...output.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)].flatMap(([, path = '']) => {
    return existsSync(path) ? [path] : [];
  });
}
