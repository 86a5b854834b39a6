import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withLock } from '@gatehouse/setup/lock';
import { bundleProgram, type ProgramName } from './bundle-program.ts';
import { BUNDLES, currentProgram, ROOT, stampOf } from './current.cjs';

/** The number of older bundles that are kept, because a running server may still load from its own. */
const KEPT = 4;

/** The inputs of a bundle besides its modules: the installed libraries, and the code that makes bundles. */
const ALWAYS = ['node_modules/.gatehouse-set-up', 'node_modules/.modules.yaml', 'pnpm-lock.yaml'];

/**
 * Bundles the programs that are not current, one process at a time.
 *
 * @param patience how long to wait for another process, in milliseconds. Default: some minutes
 * @throws SetUpError if another process takes longer
 */
export async function bundleCheckout(names: readonly ProgramName[], patience?: number): Promise<void> {
  if (names.every(currentProgram)) return;
  mkdirSync(BUNDLES, { recursive: true });
  const lock = join(BUNDLES, 'lock');
  await withLock(
    lock,
    async () => {
      // The time stamp of the new lock file has the file system's clock, as those of the sources do.
      const { ctimeMs: began } = statSync(lock);
      const waiting = names.filter((name) => currentProgram(name) === undefined);
      await Promise.all(waiting.map((name) => renew(name, began)));
    },
    patience,
  );
}

async function renew(name: ProgramName, began: number): Promise<void> {
  const id = `${Date.now().toString(36)}-${process.pid}`;
  const folder = join(BUNDLES, name, id);
  const modules = await bundleProgram(name, ROOT, folder, relative(folder, ROOT));
  const inputs = inputsOf(modules.map((path) => relative(ROOT, path)));
  // A file that changed meanwhile may have been read before its change; then the bundle is not current.
  const stamps = inputs
    .map((path) => [path, stampOf(path)])
    .map(([path, stamp]) => [path, Number(stamp) < began ? stamp : -1]);
  const manifest = join(BUNDLES, `${name}.json`);
  writeFileSync(`${manifest}.draft`, JSON.stringify({ program: `${name}/${id}/${name}.js`, inputs: stamps }));
  renameSync(`${manifest}.draft`, manifest);
  const old = readdirSync(join(BUNDLES, name))
    .toSorted()
    .toReversed()
    .slice(KEPT + 1);
  for (const each of old) rmSync(join(BUNDLES, name, each), { recursive: true, force: true });
}

/** The files whose change makes a bundle of these modules stale. Installed libraries change only by an installation. */
function inputsOf(modules: readonly string[]): readonly string[] {
  const sources = modules.filter((path) => !/(^|\/)node_modules\//.test(path));
  const packages = sources.flatMap((path) => /^[^/]+\/[^/]+\//.exec(path) ?? []);
  const bundler = readdirSync(join(ROOT, 'tooling/bundle/src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(c?js|ts)$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => `tooling/bundle/src/${path}`);
  return [
    ...new Set([...ALWAYS, ...bundler, ...packages.map((folder) => `${folder}package.json`), ...sources]),
  ];
}
