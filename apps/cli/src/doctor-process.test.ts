import { randomBytes } from 'node:crypto';
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@gatehouse/postgres';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { anInstallation } from '../testing/people.ts';
import { type ProcessEnvironment, runCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aTemporaryFolder } from '../testing/temporary-folder.ts';

const DOCTOR = ['doctor', '--json'];

interface Document {
  readonly ok: boolean;
  readonly findings: readonly { readonly code: string; readonly message: string; readonly remedy: string }[];
  readonly checks: readonly { readonly check: string; readonly status: string }[];
}

/** Returns what doctor finds, and expects one of its regular exit statuses. */
async function examine(
  settings: ProcessEnvironment,
  run: typeof runCli = runHere,
): Promise<Document & { readonly codes: readonly string[] }> {
  const { status, stdout, stderr } = await run(settings, DOCTOR);
  const document: Document = JSON.parse(stdout);
  const { length } = document.findings;
  expect(status).toBe(length === 0 ? 0 : 6);
  expect(stderr).toMatch(length === 0 ? /^$/ : /^error: \d+ findings?\.\n$/);
  expect(stdout).not.toMatch(/\n\s+at /);
  return { ...document, codes: document.findings.map(({ code }) => code) };
}

/** A migrated database with an admin, keys, and a token that expires. */
async function aSoundDatabase() {
  const { settings, url, drop } = await anInstallation();
  onTestFinished(drop);
  const create = ['token', 'create', '--name', 'ERP', '--expires-in', '30d'];
  expect(await runHere(settings, create)).toMatchObject({ status: 0 });
  return { settings, url };
}

test('a healthy database has no findings, and each problem is found', async () => {
  const { settings, url } = await aSoundDatabase();
  const sound = await examine(settings, runCli);
  expect(sound).toMatchObject({ ok: true, codes: [] });
  expect(new Set(sound.checks.map(({ status }) => status))).toEqual(new Set(['passed']));

  const withoutKey = await examine({ DATABASE_URL: url });
  expect(withoutKey.codes).toEqual([]);
  expect(withoutKey.checks).toContainEqual(
    expect.objectContaining({ check: 'master_key', status: 'skipped' }),
  );
  expect((await examine({ ...settings, GATEHOUSE_MASTER_KEY: 'E'.repeat(43) })).codes).toEqual([
    'master_key_rejected',
  ]);
  const file = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY_FILE: '/nowhere/key' };
  expect((await examine(file)).codes).toEqual(['master_key_unusable']);
  expect((await examine({ ...settings, GATEHOUSE_MASTER_KEY: 'hunter2' })).codes).toEqual([
    'master_key_unusable',
  ]);

  const other = await aDatabase();
  onTestFinished(other.drop);
  const deaf = await examine({ ...settings, DATABASE_LISTEN_URL: other.url });
  expect(deaf.findings).toMatchObject([
    { code: 'change_feed_untrusted', message: expect.stringContaining('does not receive notifications') },
  ]);

  const database = openDatabase({ url, poolSize: 1 });
  await database.queries.schema.dropTable('token_usage').execute();
  await database.close();
  const broken = await examine(settings, runCli);
  expect(broken.findings).toMatchObject([
    { code: 'check_failed', message: expect.stringContaining('token_usage'), check: 'unused_tokens' },
  ]);
});

test('a database to which other roles may connect is found, and the named statements mend it', async () => {
  const { settings, url } = await aSoundDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const role = `role_${randomBytes(8).toString('hex')}`;
  const database = new URL(url).pathname.slice(1);
  await client.query(`create role ${role} login`);
  try {
    await client.query(`grant connect on database ${database} to public`);
    const { codes, findings } = await examine(settings);
    expect(codes).toEqual(['database_open_to_public']);
    await client.query(/`(grant [^`]+)`/.exec(findings[0]?.remedy ?? '')?.[1] ?? 'no statement');
    expect((await examine(settings)).codes).toEqual([]);
  } finally {
    await client.query(`drop role ${role}`);
  }
});

test('a rewrap that was killed at any point is no finding, and commands can decrypt the keys', async () => {
  const { settings: given } = await aSoundDatabase();
  const folder = await aTemporaryFolder();
  const [file, before] = [join(folder, 'master.key'), join(folder, 'before')];
  const { GATEHOUSE_MASTER_KEY: old = '', ...rest } = given;
  const settings = { ...rest, GATEHOUSE_MASTER_KEY_FILE: file };
  const isWell = async () => {
    expect((await examine(settings)).codes).toEqual([]);
    expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 0 });
  };
  for (const path of [file, before]) await writeFile(path, old, { mode: 0o600 });
  const next = (await runHere({}, ['key', 'new-master'])).stdout;
  await writeFile(`${file}.new`, next, { mode: 0o600 });
  await isWell();

  const rewrap = ['key', 'rewrap', '--new-master-key-file', `${file}.new`];
  expect(await runHere(settings, rewrap)).toMatchObject({ status: 0 });
  // The state after the keys are re-encrypted, before the new master key replaces the old one.
  await writeFile(`${file}.new`, next, { mode: 0o600 });
  await copyFile(before, file);
  await isWell();

  await rename(`${file}.new`, file);
  await isWell();
  await writeFile(file, 'E'.repeat(43), { mode: 0o600 });
  expect((await examine(settings)).codes).toEqual(['master_key_rejected']);
});

test('an empty database is behind, and is not changed', async () => {
  const database = await aDatabase();
  onTestFinished(database.drop);
  for (let time = 0; time < 2; time += 1) {
    const { findings, codes } = await examine(database.settings);
    expect(codes).toEqual(['schema_behind']);
    expect(findings[0]?.remedy).toContain('gatehouse migrate');
  }
});

test('a migrated database without keys is reported', async () => {
  const database = await aDatabase({ isMigrated: true });
  onTestFinished(database.drop);
  expect((await examine(database.settings)).codes).toEqual(['no_active_key', 'no_active_key']);
});

test('a database that cannot be reached is the only finding, without its password', async () => {
  const nowhere = { DATABASE_URL: 'postgres://gatehouse:hunter2@127.0.0.1:1/gatehouse' };
  const { codes, checks } = await examine(nowhere);
  expect(codes).toEqual(['database_unreachable']);
  expect(checks.filter(({ status }) => status === 'skipped')).toHaveLength(checks.length - 1);
  const { stdout } = await runHere(nowhere, ['doctor']);
  expect(stdout).toMatch(/^FINDING {2}The database cannot be reached: [^\n]*\n {9}[^\n]+\nskipped/);
  expect(stdout).not.toContain('hunter2');
});

test('a folder without a database is reported, and none is created there', async () => {
  const folder = await aTemporaryFolder();
  const { findings } = await examine({ GATEHOUSE_DATA_DIR: folder });
  expect(findings).toMatchObject([
    { code: 'database_unreachable', message: expect.stringContaining('There is no database in') },
  ]);
});

test('invalid settings are wrong usage', async () => {
  const refused = await runHere({ DATABASE_URL: 'mysql://root:hunter2@db' }, DOCTOR);
  expect(refused).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
});
