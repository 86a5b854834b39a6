import { openInstallation, unwrap } from '@gatehouse/faults/store';
import { migrateToLatest } from '@gatehouse/postgres';
import type pg from 'pg';
import { say } from '../../say.ts';
import { withClient } from '../../stage.ts';
import { PASSWORD } from '../directory.ts';
import { BUSY, DAYS, fillOwners, ownersFor } from './fill-owners.ts';
import { fillSeals } from './fill-seals.ts';
import { withoutIndexes } from './without-indexes.ts';

/** The size of a large directory. All other numbers follow from it. */
export interface LargeSize {
  readonly tokens: number;
  readonly eventsPerToken: number;
}

/** The tables that grow with the tokens, and whose indexes are built after they are filled. */
const GROWING = [
  'organizations',
  'users',
  'tokens',
  'token_usage',
  'token_addresses',
  'searched_addresses',
  'audit_events',
];

/** The tokens of one statement: enough to make its start negligible, and few enough to show progress. */
const CHUNK = 500_000;

/** Migrates an empty database, and fills it. */
export async function fillDatabase(url: string, size: LargeSize, masterKey: string): Promise<void> {
  await using store = openInstallation({ DATABASE_URL: url, GATEHOUSE_MASTER_KEY: masterKey });
  await migrateToLatest(store.database);
  unwrap(await store.ensureKeys({ kind: 'operator', name: 'bench', origin: 'bench' }));
  const hash = unwrap(await store.ports.passwords.hash(PASSWORD));
  await withClient(url, (client) => bulkLoad(client, size, hash));
}

/**
 * Fills an empty schema by plain SQL as if it had been used for four hundred days: the older a token or an event, the
 * smaller its id. One in a hundred tokens belongs to the first account, and one in ten to the busy accounts. One in
 * fifty is expired, one in fifty revoked, and one in four never expires; one in 20,000 was never used, and one in
 * 20,000 not since it was made. The others were used within eighty days, each from an address of its account.
 *
 * Triggers and foreign keys are off meanwhile, so it also writes the rows that triggers would have written.
 */
async function bulkLoad(client: pg.Client, size: LargeSize, passwordHash: string): Promise<void> {
  const { tokens, eventsPerToken } = size;
  const { accounts, users, organizations } = ownersFor(tokens);
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off`);
  await withoutIndexes(client, GROWING, async () => {
    say(`storing ${accounts} accounts, ${users} users and ${organizations} organizations`);
    await fillOwners(client, { accounts, users, organizations }, passwordHash);
    for (let first = 1; first <= tokens; first += CHUNK) {
      const last = Math.min(first + CHUNK - 1, tokens);
      say(`storing tokens ${first} to ${last} of ${tokens}, and ${eventsPerToken} events for each`);
      await prepareChunk(client, { first, last, tokens, accounts, users });
      await fillTokens(client);
      await fillUsage(client);
      await fillEvents(client, eventsPerToken);
    }
    say('storing the seals of the events');
    await fillSeals(client);
  });
  await client.query('RESET session_replication_role; RESET synchronous_commit');
  say('vacuuming');
  await client.query('VACUUM (ANALYZE)');
}

/**
 * Decides the properties of each token in a range. The next statements store these in the same order, because sorting
 * would take longer.
 */
async function prepareChunk(
  client: pg.Client,
  range: {
    readonly first: number;
    readonly last: number;
    readonly tokens: number;
    readonly accounts: number;
    readonly users: number;
  },
): Promise<void> {
  const { first, last, tokens, accounts, users } = range;
  const perAccount = Math.floor(users / accounts);
  await client.query('DROP TABLE IF EXISTS chunk');
  await client.query(`
    CREATE TEMP TABLE chunk AS
    SELECT n, uuidv7(created_at - now()) AS id, user_id, (user_id - 1) % ${accounts} + 1 AS account_id, created_at,
      CASE WHEN n % 50 = 1 THEN least(created_at + interval '1 day', now() - interval '1 hour')
        WHEN n % 4 > 0 THEN date_trunc('second', now() + (1 + n % 300) * interval '1 day') END AS expires_at,
      CASE WHEN n % 50 = 2 THEN least(created_at + interval '2 days', now()) END AS revoked_at,
      CASE n % 20000 WHEN 7 THEN NULL WHEN 8 THEN created_at
        ELSE greatest(created_at, now() - (n * 7919::bigint % 80) * interval '1 day') END AS used_at
    FROM (
      SELECT n, now() - interval '${DAYS} days' * (1 - n / ${tokens}::float8) AS created_at,
        CASE WHEN n % 100 = 0 THEN 1 + ${accounts} * (n / 100 % ${perAccount})
          WHEN n % 10 = 6 THEN ${BUSY.first} + n / 10 % ${BUSY.accounts} + ${accounts} * (n / ${10 * BUSY.accounts} % ${perAccount})
          ELSE n * 7919::bigint % ${users} + 1 END AS user_id
      FROM generate_series(${first}, ${last}) n) AS numbered`);
}

async function fillTokens(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at,
      revoked_at, revoked_by)
    SELECT c.id, account_id, user_id, user_id, 'api', 'Stored ' || n, k.format, k.id, '{*}', c.created_at, expires_at,
      revoked_at, CASE WHEN revoked_at IS NOT NULL THEN jsonb_build_object('kind', 'user', 'id', user_id) END
    FROM chunk c, signing_keys k WHERE k.format = 'paseto' AND k.state = 'active'`);
}

/**
 * The rows that the recorder and the triggers store about uses; one in a hundred tokens was refused after its last use.
 */
async function fillUsage(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO token_usage (token_id, account_id, created_on, last_used_at, last_refused_at, last_refused_reason,
      refused_since_use)
    SELECT id, account_id, (created_at AT TIME ZONE 'UTC')::date, used_at,
      CASE WHEN revoked_at IS NOT NULL THEN now() END, CASE WHEN revoked_at IS NOT NULL THEN 'revoked' END,
      revoked_at IS NOT NULL
    FROM chunk;
    INSERT INTO token_addresses (token_id, used, refused)
    SELECT id, jsonb_build_array(jsonb_build_object('address', ${ADDRESS}, 'first', ${ms('created_at')},
      'last', ${ms('used_at')}, 'times', n % 1000 + 1)), '[]'
    FROM chunk WHERE used_at IS NOT NULL;
    INSERT INTO searched_addresses (token_id, address, account_id)
    SELECT id, ${ADDRESS}, account_id FROM chunk WHERE used_at IS NOT NULL`);
}

/** One of the ten addresses of the token's account. */
const ADDRESS = `'10.' || account_id / 65536 % 256 || '.' || account_id / 256 % 256 || '.' || n % 10`;
const ms = (moment: string) => `(extract(epoch FROM ${moment}) * 1000)::bigint`;

/** For each token: its creation, and beside it other actions of its user and account. An operator did one in ten. */
async function fillEvents(client: pg.Client, perToken: number): Promise<void> {
  await client.query(`
    INSERT INTO audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
    SELECT created_at + e * interval '1 millisecond',
      CASE WHEN (n + e) % 10 = 0 THEN jsonb_build_object('kind', 'operator', 'name', 'ada')
        ELSE jsonb_build_object('kind', 'user', 'id', user_id) END,
      ${ADDRESS}, told.action, split_part(told.action, '.', 1), told.subject, account_id, told.details
    FROM chunk CROSS JOIN LATERAL generate_series(0, ${perToken - 1} + 0 * n) e
    CROSS JOIN LATERAL (SELECT CASE
        WHEN e = 0 THEN 'token.created'
        WHEN e = 3 THEN (ARRAY['token.updated', 'token.rotated', 'token.revoked', 'user.password_set'])[1 + n % 4]
        WHEN e = 4 THEN (ARRAY['organization.updated', 'organization.member_added'])[1 + n % 2]
        ELSE (ARRAY['session.ended', 'session.created'])[1 + e % 2] END AS action) AS chosen
    CROSS JOIN LATERAL (SELECT chosen.action,
        CASE split_part(chosen.action, '.', 1) WHEN 'token' THEN id::text WHEN 'session' THEN gen_random_uuid()::text
          ELSE user_id::text END AS subject,
        CASE WHEN e = 0 THEN jsonb_build_object('name', 'Stored ' || n, 'kind', 'api', 'format', 'paseto',
            'scopes', jsonb_build_array('*'), 'user_id', user_id, 'expires_at', expires_at)
          WHEN split_part(chosen.action, '.', 1) = 'token' THEN jsonb_build_object('name', 'Stored ' || n, 'reason', null)
          ELSE '{}' END AS details) AS told`);
}
