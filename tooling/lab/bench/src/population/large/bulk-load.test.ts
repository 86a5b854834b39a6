import { sealAuditEvents } from '@gatehouse/domain/audit';
import { openInstallation, unwrap } from '@gatehouse/faults/store';
import { createMasterKey, createSealCryptography } from '@gatehouse/key-encryption';
import { migrateToLatest } from '@gatehouse/postgres';
import { createTestDatabase, type TestSchema } from '@gatehouse/test-database';
import { expect, it, onTestFinished, vi } from 'vitest';
import { forgetMigrations } from '../../parts/large/migration.ts';
import { withClient } from '../../stage.ts';
import { fillDatabase } from './bulk-load.ts';
import { BUSY, organizationOfBusy, ownersFor } from './fill-owners.ts';

const SIZE = { tokens: 2_000, eventsPerToken: 5 };

const MASTER_KEY = createMasterKey();

/** A large directory. Each test has a copy of it. */
const LARGE: TestSchema = {
  name: 'large_directory',
  async migrate(url) {
    const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await fillDatabase(url, SIZE, MASTER_KEY).finally(() => progress.mockRestore());
  },
};

async function arrange() {
  const { url, drop } = await createTestDatabase(LARGE);
  onTestFinished(drop);
  const store = openInstallation({ DATABASE_URL: url, GATEHOUSE_MASTER_KEY: MASTER_KEY });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { url, store };
}

it('a large directory has no events that a server would seal while it is measured', async () => {
  const { store } = await arrange();
  const seal = sealAuditEvents({ ...store.ports, sealCryptography: createSealCryptography() });
  expect(unwrap(await seal())).toEqual({ sealed: 0, more: false });
});

it('the busy accounts have as many users and organizations as where 1,000 are stored', async () => {
  const { url } = await arrange();
  const last = BUSY.first + BUSY.accounts - 1;
  const rows = await withClient(url, async (client) => {
    const counted = await client.query(
      `SELECT a.id::int AS account, (SELECT count(*)::int FROM users WHERE account_id = a.id) AS users,
         (SELECT array_agg(id::int ORDER BY id) FROM organizations WHERE account_id = a.id) AS organizations,
         (SELECT count(*)::int FROM tokens WHERE account_id = a.id) AS tokens
       FROM accounts a WHERE id BETWEEN $1 AND $2 ORDER BY id`,
      [BUSY.first, last],
    );
    return counted.rows;
  });
  const owners = ownersFor(SIZE.tokens);
  expect(rows).toEqual(
    Array.from({ length: BUSY.accounts }, (_, index) => ({
      account: BUSY.first + index,
      users: 10,
      organizations: Array.from({ length: BUSY.organizationsEach }, (_, n) =>
        organizationOfBusy(BUSY.first + index, n, owners),
      ),
      tokens: expect.toBeOneOf([20, 120]),
    })),
  );
});

it('the migrations that are measured can be run again', async () => {
  const { url, store } = await arrange();
  const forgotten = await forgetMigrations(url);
  expect(forgotten).toContain('0010-token-pages');
  expect(await migrateToLatest(store.database)).toEqual(forgotten);
});
