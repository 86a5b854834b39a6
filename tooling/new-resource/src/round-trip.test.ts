import { once } from 'node:events';
import { createTestDatabase } from '@gatehouse/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type CheckoutCopy, openCheckoutCopy, type Settings } from '../testing/checkout-copy.ts';
import { guideBlocks } from '../testing/guide-blocks.ts';
import { servedUrl } from '../testing/served-url.ts';

const MINUTES = 60_000;

/** The guide's commands. The last block is made of commands that are run here one by one. */
const [making = '', serving = '', using = '', , ...others] = guideBlocks();
const [dryRun = '', making1 = ''] = making.trim().split('\n');

/** The guide, followed in a copy of this checkout: each test goes on where the one before it ended. */
describe('the guide to a resource of one’s own', () => {
  let copy: CheckoutCopy;
  beforeAll(async () => {
    expect(others).toEqual([]);
    copy = openCheckoutCopy();
    await copy.run('npm run --silent setup');
  }, 3 * MINUTES);
  afterAll(() => copy?.[Symbol.dispose](), MINUTES);

  test('what is made is told first, by a dry run that writes nothing', { timeout: 3 * MINUTES }, async () => {
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
      ' M docs/access.md',
      ' M docs/cli.md',
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
      await copy.run(`tsc --noEmit --project ${project}`);
    }
    await copy.run('biome ci --colors=off packages/work-orders packages/extensions');
    await copy.run('turbo boundaries');
    await copy.run('node tooling/checks/src/check-docs.ts');
  });

  test('it passes its own suites, and what all resources pass', { timeout: 3 * MINUTES }, async () => {
    const suites = 'packages/work-orders apps/server/src/contract.test.ts apps/server/src/recorded-interface';
    const settings = { TEST_DATABASE_URL: inject('testDatabaseUrl') };
    await copy.run(`vitest run --project '*' ${suites}`, { settings });
  });

  test('it is served once gatehouse migrate made its tables', { timeout: 3 * MINUTES }, async () => {
    await using database = await createTestDatabase();
    const settings: Settings = {
      DATABASE_URL: database.url,
      GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64url'),
      PORT: '0',
      OPS_PORT: '0',
    };
    const gatehouse = (args: string, input = '') => copy.run(`npx gatehouse ${args}`, { settings, input });
    await gatehouse('migrate');
    // As the demo has it.
    expect(await gatehouse('account create --name Acme')).toBe('1\n');
    const ada = '--account 1 --email ada@acme.example --name Ada --role admin --password-stdin';
    await gatehouse(`user create ${ada}`, 'the phrase of Ada\n');
    expect(await gatehouse('org create --account 1 --name Foundry')).toBe('1\n');

    const server = copy.start(`exec ${serving}`, settings);
    const ended = once(server, 'exit');
    try {
      const url = await servedUrl(server);
      const here = using.replaceAll('http://127.0.0.1:8080', url);
      expect(JSON.parse(await copy.run(here, { settings }))).toEqual({ items: [], next_cursor: null });
      const other = here.replace('--scope work-orders:read', '--scope orgs:read').replace('Orders', 'Others');
      await expect(copy.run(other, { settings })).rejects.toThrow('403');
    } finally {
      server.kill('SIGTERM');
      await ended;
    }
  });
});
