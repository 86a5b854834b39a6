import { once } from 'node:events';
import { createTestDatabase } from '@gatehouse/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CheckoutCopy, openCheckoutCopy, type Settings } from '../testing/checkout-copy.ts';
import { blocksOf } from '../testing/guide-blocks.ts';
import { servedUrl } from '../testing/served-url.ts';

/** On a busy machine, the compiler's threads only cost more. */
const compile = (project: string) => `tsc --noEmit --singleThreaded --project ${project}`;

/** The guide's commands. The suites in the last block run here without the checks that `npm test` runs before them. */
const [making = '', serving = '', using = '', commands = '', testing = '', ...others] = blocksOf(
  'docs/extend/resource.md',
  'sh',
);
const [dryRun = '', making1 = ''] = making.trim().split('\n');

const ASKING_FIRST = 'docs/extend/asking-first.md';
const REFUSALS = 'docs/extend/refusals.md';
const ORDER = 'docs/extend/order.md';

/** Runs commands that fill a database like the demo. */
async function givenDemo(copy: CheckoutCopy, url: string) {
  const settings: Settings = {
    DATABASE_URL: url,
    GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64url'),
    PORT: '0',
    OPS_PORT: '0',
  };
  const gatehouse = (args: string, input = '') => copy.run(`gatehouse ${args}`, { settings, input });
  await gatehouse('migrate');
  expect(await gatehouse('account create --name Acme')).toBe('1\n');
  const ada = '--account 1 --email ada@acme.example --name Ada --role admin --password-stdin';
  await gatehouse(`user create ${ada}`, 'the phrase of Ada\n');
  expect(await gatehouse('org create --account 1 --name Foundry')).toBe('1\n');
  return { settings, run: (script: string) => copy.run(script, { settings }) };
}

type Demo = Awaited<ReturnType<typeof givenDemo>>;
type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

/** Follows the guide in a copy of this checkout: each test continues where the previous one ended. */
describe('the guide to a resource of one’s own', () => {
  let copy: CheckoutCopy;
  let database: TestDatabase | undefined;
  let demo: Demo;
  beforeAll(async () => {
    expect(others).toEqual([]);
    copy = openCheckoutCopy();
    await copy.setUp();
  });
  afterAll(async () => {
    copy?.[Symbol.dispose]();
    await database?.drop();
  });

  test('what is made is told first, by a dry run that writes nothing', async () => {
    const said = await copy.run(dryRun);
    expect(copy.changes()).toEqual([]);
    const without = (text: string) =>
      text
        .split('\n')
        .filter((line) => !line.startsWith('>'))
        .join('\n');
    expect(without(await copy.run(making1))).toBe(without(said));
    expect(said).toContain('new      packages/work-orders/src/domain/work-order.ts\n');
  });

  test('files that were there change by two lines, and by command; nothing is overwritten', async () => {
    expect(copy.changes()).toEqual([
      ' M docs/administer/access.md',
      ' M docs/administer/cli.md',
      ' M packages/extensions/package.json',
      ' M packages/extensions/src/index.ts',
      ' M pnpm-lock.yaml',
      '?? packages/work-orders/',
    ]);
    expect(copy.difference('packages/extensions/src/index.ts')).toEqual([
      "+import { workOrders } from '@gatehouse/work-orders';",
      '-export const EXTENSIONS: readonly Extension[] = [];',
      '+export const EXTENSIONS: readonly Extension[] = [workOrders];',
    ]);
    await expect(copy.run(making1)).rejects.toThrow('The package @gatehouse/work-orders is taken.');
  });

  test('it compiles, is formatted, keeps the boundaries, and is in the documents', async () => {
    for (const project of [
      'packages/work-orders',
      'packages/work-orders/src/domain',
      'packages/extensions',
    ]) {
      await copy.run(compile(project));
    }
    await copy.run('biome ci --colors=off packages/work-orders packages/extensions');
    await copy.run('turbo boundaries');
    for (const document of ['docs/administer/access.md', 'docs/administer/cli.md']) {
      expect(copy.difference(document).join('\n')).toMatch(/^\+.*work[ -]order/m);
    }
  });

  test('it passes its own suites, and what all resources pass', async () => {
    const suites = `${testing.replace('npm test -- ', '').trim()} apps/server/src/interface/recorded-interface.test.ts`;
    const said = await copy.run(`vitest run ${suites}`);
    for (const file of suites.match(/\w[\w-]*\.test\.ts/g) ?? []) expect(said).toContain(file);
  });

  test('it is served once gatehouse migrate made its tables, and its commands work', async () => {
    database = await createTestDatabase();
    demo = await givenDemo(copy, database.url);
    const { settings, run } = demo;
    const server = copy.start(`exec ${serving}`, settings);
    const ended = once(server, 'exit');
    try {
      const url = await servedUrl(server);
      const here = using.replaceAll('http://127.0.0.1:8080', url);
      expect(JSON.parse(await run(here))).toEqual({ items: [], next_cursor: null });
      const other = here.replace('--scope work-orders:read', '--scope orgs:read').replace('Orders', 'Others');
      await expect(run(other)).rejects.toThrow('403');

      const [create = '', list = '', show = '', help = '', ...more] = commands.trim().split('\n');
      expect(more).toEqual([]);
      expect(await run(create)).toBe('1\n');
      expect(await run(list)).toMatch(/^1 +Press 4 leaks +warning +open /m);
      const item = JSON.parse(await run(show));
      expect(item).toMatchObject({ id: 1, organization_id: 1, text: 'Press 4 leaks', severity: 'warning' });
      expect(await run(help)).toMatch(
        /^Manage the work orders of organizations$[\s\S]*^ {2}close .*Close a/m,
      );
      await expect(run(show.replace('1 1', '1 2'))).rejects.toThrow('ended with 3:');
      const again = here.replace('--name Orders', '--name "Orders again"');
      expect(JSON.parse(await run(again))).toMatchObject({ items: [{ id: 1, text: 'Press 4 leaks' }] });
    } finally {
      server.kill('SIGTERM');
      await ended;
    }
  });

  test('its command asks first, once it is changed as the guide says', async () => {
    const [asks = '', ...moreCode] = blocksOf(ASKING_FIRST, 'ts');
    const [closing = '', ...moreCommands] = blocksOf(ASKING_FIRST, 'sh');
    expect([...moreCode, ...moreCommands]).toEqual([]);
    copy.edit('packages/work-orders/src/cli/index.ts', /(?<=verb: 'close',[\s\S]*?\n)(?= {2}run:)/, asks);

    const { settings, run } = demo;
    const [asking = '', unasked = ''] = closing.trim().split('\n');
    await expect(run(asking)).rejects.toThrow(/ended with 2:[\s\S]*add --yes to close the work order\./);
    expect(await copy.runAtTerminal(asking, settings, 'Close it?', 'n\r')).toMatch(
      /Work order 1 says: Press 4 leaks\s[\s\S]*The work order was not closed\./,
    );
    const status = 'gatehouse work-order list 1 --columns status';
    expect(await run(status)).toMatch(/^open$/m);
    await run(unasked);
    expect(await run(status)).toMatch(/^closed$/m);
  });

  test('it refuses with an error of its own, and lists the newest first, once changed as the guide says', async () => {
    const folder = 'packages/work-orders';
    const [described = '', refused = '', said = '', tested = '', ...more] = blocksOf(REFUSALS, 'ts');
    copy.edit(`${folder}/src/refusals.ts`, /(?=^\}\);)/m, described);
    const manage = `${folder}/src/domain/manage-work-orders.ts`;
    copy.edit(manage, / {6}return store\.close\([\s\S]*?\n {6}\);\n/, refused);
    copy.edit(manage, /(?<=OrganizationId,\n)(?=\} from)/, '  ok,\n');
    copy.edit(`${folder}/src/cli/index.ts`, / {2}note: \(\{ already \}[\s\S]*?(?=\}\);)/, said);
    const suite = `${folder}/src/domain/work-orders.test.ts`;
    copy.edit(suite, / {2}expect\(await close\(ada\)\)[\s\S]*?already: true.*\n/, tested);

    const [query = '', promised = '', inMemory = '', ...others] = blocksOf(ORDER, 'ts');
    expect([...more, ...others]).toEqual([]);
    copy.edit(
      `${folder}/src/postgres/work-order-repository.ts`,
      / {6}if \(after[\s\S]*?map\(frozen\);\n/,
      query,
    );
    const contract = `${folder}/testing/work-order-repository-contract.ts`;
    copy.edit(contract, / {6}expect\(await list\(\{\}\)[\s\S]*?'open'.*\n/, promised);
    copy.edit(`${folder}/testing/in-memory-work-orders.ts`, / {4}async list\([\s\S]*?\n {4}\},\n/, inMemory);

    await copy.run(`biome ci --colors=off ${folder}`);
    await copy.run(compile(folder));
    // The tests of routes and commands still expect the former behaviour.
    const suites = [`${folder}/src/domain`, `${folder}/src/postgres`, `${folder}/testing`].join(' ');
    await copy.run(`vitest run ${suites} apps/server/src/interface/contract.test.ts`);
    const [closing = '', ...moreCommands] = blocksOf(REFUSALS, 'sh');
    expect(moreCommands).toEqual([]);
    // Without a terminal, a command that asks first needs the answer.
    const again = demo.run(`${closing.trim()} --yes`);
    await expect(again).rejects.toThrow(/ended with 5:[\s\S]*error: The work order is closed\./);
    await demo.run('gatehouse work-order create 1 --text second');
    expect(await demo.run('gatehouse work-order list 1 --columns id')).toMatch(/\b2\s+1\s*$/);
  });
});
