import { sealAuditEvents } from '@gatehouse/domain/audit';
import { openInstallation, unwrap } from '@gatehouse/faults/store';
import { createMasterKey, createSealCryptography } from '@gatehouse/key-encryption';
import { migrateToLatest } from '@gatehouse/postgres';
import { createTestDatabase } from '@gatehouse/test-database';
import { expect, it, onTestFinished, vi } from 'vitest';
import { forgetMigrations } from '../../parts/large/migration.ts';
import { fillDatabase } from './bulk-load.ts';

const SIZE = { tokens: 2_000, eventsPerToken: 5 };

async function arrange() {
  const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => progress.mockRestore());
  const masterKey = createMasterKey();
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  await fillDatabase(url, SIZE, masterKey);
  const store = openInstallation({ DATABASE_URL: url, GATEHOUSE_MASTER_KEY: masterKey });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { url, store };
}

it('a large directory has no events that a server would seal while it is measured', async () => {
  const { store } = await arrange();
  const seal = sealAuditEvents({
    ...store.ports,
    encryption: await store.ports.encryption(),
    sealCryptography: createSealCryptography(),
  });
  expect(unwrap(await seal())).toEqual({ sealed: 0, more: false });
});

it('the migrations that are measured can be run again', async () => {
  const { url, store } = await arrange();
  const forgotten = await forgetMigrations(url);
  expect(forgotten).toContain('0010-token-pages');
  expect(await migrateToLatest(store.database)).toEqual(forgotten);
});
