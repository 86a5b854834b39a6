import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secondFactorKeyId } from '@gatehouse/domain/second-factor';
import { checkMasterKey } from '@gatehouse/domain/signing-keys';
import { createFixedClock, START } from '@gatehouse/domain/testing';
import type { UserId } from '@gatehouse/domain/users';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { createFollowingKeyEncryption, loadMasterKey } from '@gatehouse/key-encryption';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { ProcessEnvironment, runCli } from './process.ts';
import { runHere } from './run-here.ts';
import { aUsedDataFolder } from './temporary-folder.ts';

/** Creates a data folder with keys, whose database keeps running. */
export async function aDataFolderWithKeys() {
  const dataDir = await aUsedDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  expect(await runHere(settings, ['migrate'])).toMatchObject({ status: 0 });
  const embedded = await openEmbeddedPostgres({ dataDir });
  const database = openDatabase({ url: embedded.url, poolSize: 1 });
  onTestFinished(async () => {
    await database.close();
    await embedded[Symbol.asyncDispose]();
  });
  expect(await runHere(settings, ['key', 'create', '--format', 'jwt'])).toMatchObject({ status: 0 });

  await giveSecondFactors(embedded.url, dataDir);

  /** Whether a process that starts now can decrypt every key and secret with the files in the folder. */
  async function startsWell(): Promise<boolean> {
    const loaded = await loadMasterKey({ dataDir, mayCreate: false });
    if (!loaded.ok) return false;
    const { signingKeys, secondFactors } = createPostgresRepositories(database);
    const encryption = createFollowingKeyEncryption(loaded.value, createFixedClock(START));
    const factors = await secondFactors.list({ limit: 10_000 });
    expect(factors).toHaveLength(SECOND_FACTORS);
    for (const { userId, sealedSecret } of factors)
      if (!(await encryption.open(sealedSecret, secondFactorKeyId(userId))).ok) return false;
    return (await checkMasterKey({ signingKeys, encryption })).ok;
  }
  const masterKeys = async () =>
    (await readdir(dataDir)).filter((name) => /^master\.key(\.new)?$/.test(name));
  const stored = () => readFile(join(dataDir, 'master.key'), 'utf8');
  /** Returns the contents of the files whose names begin with that of the master key, except for the next one. */
  async function kept(): Promise<readonly string[]> {
    const names = (await readdir(dataDir)).filter((name) => /^master\.key($|\.\d)/.test(name));
    return Promise.all(names.map((name) => readFile(join(dataDir, name), 'utf8')));
  }
  return { dataDir, settings, startsWell, masterKeys, stored, kept };
}

/** Rewraps the keys, and returns what is printed as JSON. */
export async function rewrapped(
  settings: ProcessEnvironment,
  more: readonly string[] = [],
  run: typeof runCli = runHere,
) {
  const { status, stdout, stderr } = await run(settings, ['key', 'rewrap', '--json', ...more]);
  expect(stderr).not.toContain('error');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

/** More than two batches of a rewrap, so that it can be killed between them. */
const SECOND_FACTORS = 1200;

/** Stores users with second factors, whose secrets are encrypted under the master key of the folder. */
async function giveSecondFactors(url: string, dataDir: string): Promise<void> {
  const loaded = await loadMasterKey({ dataDir, mayCreate: false });
  if (!loaded.ok) throw new Error(loaded.error.message);
  const encryption = createFollowingKeyEncryption(loaded.value, createFixedClock(START));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `with account as (insert into accounts (name, created_at) values ('Acme', now()) returning id)
     insert into users (account_id, email, email_key, name, role, password_hash, created_at, second_factor_at)
       select account.id, n || '@acme.example', n || '@acme.example', 'Ada', 'member', 'none', now(), now()
       from account cross join generate_series(1, $1::int) as n
     returning id`,
    [SECOND_FACTORS],
  );
  const factors = await Promise.all(
    rows.map(async ({ id }) => ({
      id,
      sealed: await encryption.seal(new Uint8Array(20), secondFactorKeyId(Number(id) as UserId)),
    })),
  );
  await client.query(
    `insert into second_factors (user_id, sealed_secret, last_step, enrolled_at)
       select id, sealed, 0, now() from jsonb_to_recordset($1::jsonb) as given (id bigint, sealed text)`,
    [JSON.stringify(factors)],
  );
  await client.end();
}
