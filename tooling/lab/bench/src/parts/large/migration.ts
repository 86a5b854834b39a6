import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TokenId } from '@gatehouse/domain/tokens';
import { OPERATOR, unwrap } from '@gatehouse/faults/store';
import { NO_CACHES } from '../../contestants.ts';
import type { LoadRequest } from '../../load/plan.ts';
import { tracked } from '../../machine/children.ts';
import { emailOf } from '../../population/directory.ts';
import type { LargeDirectory } from '../../population/large/large-directory.ts';
import { requestsOfStored } from '../../population/large/stored-tokens.ts';
import { COMMAND } from '../../servers/command.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import { withClient } from '../../stage.ts';
import { type Waits, waitsOf } from './waits.ts';

/** How long reads and writes took while `migrate` ran. */
export interface MigrationResult {
  readonly migrations: readonly string[];
  readonly seconds: number;
  readonly reads: Waits;
  readonly writes: Waits;
}

/**
 * Migrations run again from this one on. Each can, because a step may be interrupted. The indexes are dropped before
 * that.
 */
const OLDEST = '0010-token-pages';
const INDEXES = ['tokens_open_of_keys', 'token_usage_of_account', 'token_usage_idle'];
const READERS = { count: 4, pauseMs: 10 };
const WRITERS = { count: 2, pauseMs: 40 };
/** More than are needed; reads use their tokens repeatedly. */
const TOKENS = { read: 5_000, write: 20_000 };

/**
 * Migrates a directory in use whose last migrations are missing. Reads go to a server without caches, so each reads the
 * database; each write is a revocation by the use case.
 */
export async function migrateUnderLoad(directory: LargeDirectory): Promise<MigrationResult> {
  const { url, stage } = directory;
  await using server = await startGatehouse(directory, NO_CACHES, stage.cores?.all);
  const reads = await requestsOfStored(directory, TOKENS.read);
  const writes = await someTokens(directory, TOKENS.write);
  const migrations = await forgetMigrations(url);
  const over = new AbortController();
  const watched = Promise.all([
    waitsOf({ ...READERS, over: over.signal }, reads, (request) => read(server.announcement.url, request)),
    waitsOf({ ...WRITERS, over: over.signal }, writes, (token) => revoke(directory, token)),
  ]);
  const begun = performance.now();
  await migrate(directory);
  const seconds = (performance.now() - begun) / 1000;
  over.abort();
  const [ofReads, ofWrites] = await watched;
  return { migrations, seconds, reads: ofReads, writes: ofWrites };
}

/** Returns the names of the migrations that will run again. */
export async function forgetMigrations(url: string): Promise<readonly string[]> {
  return await withClient(url, async (client) => {
    await client.query(`DROP INDEX IF EXISTS ${INDEXES.join()}`);
    const { rows } = await client.query<{ name: string }>(
      'DELETE FROM kysely_migration WHERE name >= $1 RETURNING name',
      [OLDEST],
    );
    return rows.map(({ name }) => name).toSorted();
  });
}

async function migrate({ url, stage }: LargeDirectory): Promise<void> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey };
  const child = tracked(spawn(process.execPath, [COMMAND, 'migrate'], { env, stdio: ['ignore', 2, 2] }));
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`migrate ended with ${status}`);
}

async function read(url: string, { path, headers }: LoadRequest): Promise<string | undefined> {
  const response = await fetch(`${url}${path}`, { headers });
  await response.arrayBuffer();
  // Another client may have revoked it meanwhile.
  return response.status === 200 || response.status === 401 ? undefined : `status ${response.status}`;
}

interface Revocable {
  readonly id: TokenId;
  readonly email: string;
}

async function revoke({ store }: LargeDirectory, { id, email }: Revocable): Promise<string | undefined> {
  const admin = unwrap(await store.actAs(email, OPERATOR));
  const revoked = await store.revokeToken(admin, { id, reason: null });
  return revoked.ok ? undefined : revoked.error.code;
}

async function someTokens({ url, size }: LargeDirectory, count: number): Promise<readonly Revocable[]> {
  return await withClient(url, async (client) => {
    const share = Math.min(100, (200 * count) / size.tokens);
    const { rows } = await client.query<{ id: TokenId; user: number }>(
      `SELECT id, user_id::int AS user FROM tokens TABLESAMPLE BERNOULLI (${share}) WHERE revoked_at IS NULL LIMIT $1`,
      [count],
    );
    return rows.map(({ id, user }) => ({ id, email: emailOf(user) }));
  });
}
