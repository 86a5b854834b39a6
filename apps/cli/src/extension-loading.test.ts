import { afterAll, beforeAll, expect, test } from 'vitest';
import { anInstallation } from '../testing/people.ts';
import { runCli } from '../testing/process.ts';

const hook = (name: string) => `--import=${new URL(`../testing/${name}.ts`, import.meta.url).href}`;
const REGISTERED = hook('register-example');
const ALSO_PRINTED = `${REGISTERED} ${hook('print-loaded')}`;

/** Every process loads these modules of an extension: its names and words, and what its guards decide by. */
const MANIFEST = ['domain/rules.ts', 'domain/token-guard.ts', 'index.ts', 'refusals.ts'];

const { settings, drop } = await anInstallation();
beforeAll(async () => {
  const migrated = await runCli({ ...settings, NODE_OPTIONS: REGISTERED }, ['migrate']);
  expect(migrated, migrated.stderr).toMatchObject({ status: 0 });
  expect(await runCli(settings, ['org', 'create', '--account', '1', '--name', 'Works'])).toMatchObject({
    stdout: '1\n',
  });
});
afterAll(drop);

/** The modules of the extension that the command loads in a process of its own. */
async function loadedBy(args: readonly string[]) {
  const { status, stderr } = await runCli({ ...settings, NODE_OPTIONS: ALSO_PRINTED }, args);
  expect(status, stderr).toBe(0);
  return Array.from(
    stderr.matchAll(/\/tooling\/shift-notes\/src\/(\S+)/g),
    ([, path = '']) => path,
  ).toSorted();
}

test.each([
  [['--help']],
  [['token', 'list', '--help']],
  [['org', 'list']],
  [['audit', 'list', '--shift-note', '1']],
  [['completion', 'bash']],
  [['__complete', 'bash', '--', 'gatehouse sh', 'sh']],
  [['__complete', 'bash', '--', 'gatehouse token show 0', '0']],
])('%j loads the names and words of an extension alone', async (args) => {
  expect(await loadedBy(args)).toEqual(MANIFEST);
});

/** The layers among the modules; a layer is loaded by its `index.ts`. */
const layersOf = (modules: readonly string[]) =>
  modules.flatMap((path) => /^(\w+)\/index\.ts$/.exec(path)?.[1] ?? []);

test.each([
  [
    ['shift-note', 'list', '--help'],
    ['cli', 'domain'],
  ],
  [
    ['__complete', 'bash', '--', 'gatehouse shift-note li', 'li'],
    ['cli', 'domain'],
  ],
  [
    ['shift-note', 'list', '1'],
    ['cli', 'domain', 'postgres'],
  ],
  [
    ['shift-note', 'create', '1', '--text', 'Press 4 leaks'],
    ['cli', 'domain', 'postgres'],
  ],
])('%j loads of the extension the layers that it needs: %j', async (args, layers) => {
  expect(layersOf(await loadedBy(args))).toEqual(layers);
});
