import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The folders of packages that are extensions by their tag, registered or not. */
const EXTENSIONS = globSync('{packages,tooling}/*/turbo.json', { cwd: ROOT })
  .filter((path) => JSON.parse(read(path)).tags?.includes('extension'))
  .map((path) => path.replace(/[/\\]turbo\.json$/, ''))
  .toSorted();

test('there are extensions', () => {
  expect(EXTENSIONS).toContain(join('tooling', 'shift-notes'));
});

/** The calls of `eventOf` in a file, each with its action if that is written out. */
function eventsIn(file: string) {
  const source = read(file);
  return Array.from(source.matchAll(/\beventOf\(/g), ({ index }) => {
    const [, action] = /^eventOf\(\s*[\w.()]+,\s*'([a-z_]+\.[a-z_]+)',/.exec(source.slice(index)) ?? [];
    return { place: `${file}:${source.slice(0, index).split('\n').length}`, action };
  });
}

/** The statements of a TypeScript file, roughly: the texts between semicolons. */
const statementsIn = (file: string) => read(file).split(';');

/** The actions are compared as text, because no type says which of them a use case records. */
const NO_LITERAL =
  "each call of `eventOf` has a name for the time and its action written out, as in eventOf(at, 'work_order.closed', ...): " +
  'no variable and no condition in their place; for two actions write two calls. These calls differ';

const NO_ORDER =
  'a statement that limits the number of rows orders them itself: without an order, PostgreSQL returns them as its plan ' +
  'finds them, and a cursor skips some';

/** Properties that other suites find only by chance. */
describe.each(EXTENSIONS)('%s', (folder) => {
  test('lists each of its migrations', () => {
    const index = read(join(folder, 'src/postgres/migrations/index.ts'));
    const files = globSync('src/postgres/migrations/[0-9]*.ts', { cwd: join(ROOT, folder) });
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const name = basename(file, '.ts');
      expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/);
      expect(index, `${name} is in no list`).toContain(`'${name}':`);
    }
  });

  test('orders the rows of each page', () => {
    const pages = globSync('src/postgres/**/*.ts', { cwd: join(ROOT, folder) })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => statementsIn(join(folder, file)))
      .filter((statement) => /\.limit\(|\blimit \$\{/i.test(statement));
    for (const statement of pages) expect(statement, NO_ORDER).toMatch(/\.orderBy\(|\border by\b/i);
  });

  test('lists each audit action that its use cases record, and records each', () => {
    const calls = globSync('src/domain/**/*.ts', { cwd: join(ROOT, folder) })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => eventsIn(join(folder, file)));
    const unclear = calls.filter(({ action }) => action === undefined).map(({ place }) => place);
    expect(unclear, NO_LITERAL).toEqual([]);
    const recorded = calls.map(({ action }) => action);
    const [, actions = ''] =
      /\n {2}actions: \{\n(.*?)\n {2}\}/s.exec(read(join(folder, 'src/index.ts'))) ?? [];
    const listed = Array.from(actions.matchAll(/'([a-z_]+\.[a-z_]+)':/g), ([, action]) => action);
    expect(listed.toSorted(), '`actions` in src/index.ts, and what `eventOf` is called with').toEqual(
      [...new Set(recorded)].toSorted(),
    );
  });
});
