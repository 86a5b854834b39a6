import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configDefaults, defineConfig, type Plugin } from 'vitest/config';
import { currentProgram } from './tooling/bundle/src/current.cjs';
import { npmEnds } from './tooling/setup/src/npm-ends.mjs';
import { openRunFolder } from './tooling/setup/src/test-run/run-folder.mjs';

const ROOT = import.meta.dirname;

/** Packages whose tests replace modules for a whole process, by `vi.mock` or `vi.resetModules`. */
const ISOLATED = new Set([
  'packages/embedded-postgres',
  'packages/password-argon2',
  'tooling/setup',
  'tooling/test-postgres',
]);

/**
 * Packages with a project of their own, named after the folder. Each project starts its own workers, and each worker
 * imports anew what its tests need, so packages with fewer tests share two projects.
 */
const OWN = new Set([
  'apps/cli',
  'apps/server',
  'packages/cache',
  'packages/domain',
  'packages/pages',
  'packages/postgres',
  'tooling/browser',
]);

/** The packages by which tests open a database of their own. */
const DATABASE_TOOLS = ['@gatehouse/test-database', '@gatehouse/extension-testing'];

/** Whether the tests of a package open one. */
function needsPostgres(folder: string): boolean {
  const { name, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  );
  const used = { [name]: '', ...dependencies, ...devDependencies };
  return name !== '@gatehouse/test-postgres' && DATABASE_TOOLS.some((tool) => tool in used);
}

// Everything that the run has started ends with it, however it ends. If `npm test` is killed, it can tell us nothing.
openRunFolder();
npmEnds(() => process.kill(process.pid, 'SIGKILL'));

// Programs are started from their bundles (`programFile` in tooling/test-database), unless the sources were changed
// since.
process.env.GATEHOUSE_BUNDLE = currentProgram('gatehouse') ?? '';
process.env.GATEHOUSE_SERVER_BUNDLE = currentProgram('gatehouse-server') ?? '';

// Every program that a test starts keeps its compiled modules here, and so does each worker.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/node-compile-cache');

/**
 * `--changed` follows imports. A program that a test starts by its path counts as imported, too.
 */
const startedPrograms: Plugin = {
  name: 'started-programs',
  enforce: 'pre',
  transform(code) {
    const paths = code.matchAll(/new URL\(\s*'(?:\.\/)?([^']+\.[jt]s)',\s*import\.meta\.url\s*,?\s*\)/g);
    const imports = Array.from(paths, ([, path]) => `;() => import('./${path}');`).join('');
    return imports === '' ? undefined : { code: `${code}\n${imports}`, map: null };
  },
};

// Of a package that was taken away, the folder stays with what was installed there.
const FOLDERS = globSync('{packages,apps,tooling,tooling/lab}/*/package.json', { cwd: ROOT })
  .map(dirname)
  .toSorted();

/**
 * Tests of several processes whose database, disk, clock or network fails, again and again; of tables with a hundred
 * thousand rows; and of guides that are followed in a copy of the checkout, or in containers. They hold in numbers,
 * under load or once more from the start what a test of the stage before shows once, and are a stage of their own: `npm
 * test -- --faults`.
 */
const FAULTS = [
  'tooling/lab/faults/src/*/*.test.ts',
  'tooling/checks/src/documented-commands/*.test.ts',
  'tooling/checks/src/own-repository.test.ts',
  'tooling/checks/src/upgrade/upgrade.test.ts',
  'tooling/browser/src/site/site.test.ts',
  'tooling/containers/src/containers.test.ts',
  'tooling/new-resource/src/round-trip.test.ts',
  'tooling/release/src/release.test.ts',
  'apps/cli/src/killed.test.ts',
  'apps/cli/src/rewrap-killed.test.ts',
  'apps/server/src/start/killed-start.test.ts',
  'apps/server/src/extensions/busy-extension.test.ts',
  'apps/server/src/database/fair-reads.test.ts',
  'apps/server/src/coherence/outages.test.ts',
  'apps/server/src/coherence/revocation.test.ts',
  'apps/server/src/coherence/many-changes.test.ts',
  'apps/server/src/pages/thousand-posts.test.ts',
  'apps/server/src/security/existence-time.test.ts',
  'apps/server/src/security/logs.test.ts',
  'apps/server/src/security/sign-in-time.test.ts',
  'packages/cache/src/memory.test.ts',
  'packages/postgres/src/audit/account-audit.test.ts',
  'packages/postgres/src/audit/large-activity.test.ts',
  'packages/postgres/src/tokens/unused-tokens.test.ts',
  'packages/postgres/src/tokens/lists/large-lists.test.ts',
];

const POSTGRES = join(ROOT, 'tooling/test-postgres/src/global-setup.ts');

interface Options {
  readonly isolate?: boolean;
  /** Whether the tests find a PostgreSQL. */
  readonly hasPostgres?: boolean;
}

/**
 * Test files of a project share modules, unless `isolate` is set: importing them anew for each file took most of the
 * time.
 */
const project = (
  name: string,
  folders: readonly string[],
  { isolate = false, hasPostgres = false }: Options,
) => ({
  extends: true as const,
  test: {
    name,
    root: ROOT,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: [...configDefaults.exclude, ...FAULTS],
    isolate,
    globalSetup: hasPostgres ? [POSTGRES] : [],
  },
});

const [ofOwn, others] = partition(FOLDERS, (folder) => OWN.has(folder) || ISOLATED.has(folder));
const [withPostgres, withoutPostgres] = partition(others, needsPostgres);

function partition(all: readonly string[], belongs: (one: string) => boolean) {
  return [all.filter(belongs), all.filter((one) => !belongs(one))] as const;
}

const projects = [
  ...ofOwn.map((folder) =>
    project(folder, [folder], { isolate: ISOLATED.has(folder), hasPostgres: needsPostgres(folder) }),
  ),
  project('others', withoutPostgres, {}),
  project('others-with-postgres', withPostgres, { hasPostgres: true }),
];

const faults = {
  extends: true as const,
  test: { name: 'faults', root: ROOT, include: FAULTS, isolate: true, globalSetup: [POSTGRES] },
};

export default defineConfig({
  plugins: [startedPrograms],
  test: {
    projects: [...projects, faults],
    // Tests start whole servers and commands, on machines that others use, too. What is wrong is then told by the
    // code under test, and not by the clock of the tests.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    // Less than a server keeps an idle connection: what is waited for must not come about by that.
    expect: { poll: { timeout: 3_000 } },
    // What a test changes of the process must not reach the files after it.
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
  },
});
