import type { ProviderId } from '@gatehouse/domain/identity-providers';
import type { SessionId, SessionSecretHash } from '@gatehouse/domain/sessions';
import { anEvent, aRevocation, aSession, givenAdmins, givenUser, START } from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import type { PasswordHash, User } from '@gatehouse/domain/users';
import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../testing/open-pool.ts';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { createDialect } from '../database/dialect.ts';
import { createValueTypes } from '../database/pool/value-types.ts';
import type { Schema } from '../database/schema.ts';
import { createPostgresRepositories } from '../repositories.ts';

const LIVE = { createdAfter: addMilliseconds(START, -1000), seenAfter: addMilliseconds(START, -1000) };
const COUNT = 50_000;

const HOUR_MS = 3_600_000;

/** Of one sweep. */
const BATCH = 1000;

/** Of one user. */
const KEPT = 20;

/** Of 8 KiB: a descent of each of the indexes, and the row with its entries. */
const MAX_PAGES_A_ROW = 16;

const HASH = '$test$hash' as PasswordHash;

const RENEWAL = { from: '00'.repeat(32) as SessionSecretHash, to: '11'.repeat(32) as SessionSecretHash };

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

describe('with many sessions', async () => {
  const { url, database, store, close } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sent: Statement[] = [];
  const queries = new Kysely<Schema>({
    dialect: createDialect(openPool(url, { types: createValueTypes() })),
    log: ({ query }) => {
      sent.push(query);
    },
  });
  const { sessions, users } = createPostgresRepositories({ ...database, queries });
  let user: User;
  let other: User;
  let third: User;
  beforeAll(async () => {
    [user, other] = await givenAdmins(store);
    third = await givenUser(store, user.accountId);
    await client.query(
      `insert into sessions
         select gen_random_uuid(), sha256(number::text::bytea), $1::bigint + number % 2,
           now() - number * interval '1 minute', now(), now(), '192.0.2.1', 'Firefox'
         from generate_series(1, $2) as number`,
      [Math.min(user.id, other.id), COUNT],
    );
    await client.query('vacuum analyze sessions');
  });
  afterAll(async () => {
    await queries.destroy();
    await client.end();
    await close();
  });

  const own = { id: '01890000-0000-7000-8000-000000000001' as SessionId, userId: 1 as User['id'] };
  const never = () => anEvent();
  const logOut = (parts: { readonly subject?: string; readonly providerSession?: string }) => {
    const { subject = null, providerSession = null } = parts;
    const provider = { provider: 'entra' as ProviderId, issuer: 'https://entra.example' };
    const selected = { ...provider, subject, providerSession, openedBefore: START };
    return sessions.endOfProvider(selected, never);
  };
  test.each<[string, () => Promise<unknown>]>([
    ['find', () => sessions.find('00'.repeat(32) as SessionSecretHash)],
    ['touch', () => sessions.touch(own.id, START)],
    ['list', () => sessions.list(third.id, LIVE)],
    ['end', () => sessions.end(own, anEvent())],
    ['endOthers', () => sessions.endOthers({ ...own, userId: third.id }, LIVE, never)],
    [
      'sweep',
      () => sessions.sweep({ createdBefore: addMilliseconds(Date.now() as Instant, -HOUR_MS), limit: BATCH }),
    ],
    ['confirmPassword', () => sessions.confirmPassword(own, START, { verifiedHash: HASH }, RENEWAL)],
    ['renew', () => sessions.renew(own, START, RENEWAL)],
    [
      'insert',
      () =>
        sessions.insert(
          aSession(third),
          { verifiedHash: HASH },
          { keep: 2, ...LIVE },
          { created: anEvent(), ended: never },
        ),
    ],
    ['endOfProvider, of a person', () => logOut({ subject: 'ada' })],
    ['endOfProvider, of a session', () => logOut({ providerSession: 'sid' })],
    ['setPassword', () => users.setPassword(third.id, HASH, aRevocation(), anEvent())],
    ['setRole', () => users.setRole(third.id, 'member', () => anEvent())],
    ['disable', () => users.disable(third.id, aRevocation(), anEvent())],
  ])('%s reads by an index', async (name, call) => {
    sent.length = 0;
    await call();
    const statements = sent.filter(({ sql }) => /\bsessions\b/.test(sql));
    expect(statements.length).toBeGreaterThan(0);
    for (const { sql, parameters } of statements) {
      const { plan, pages, rows } = await explain(sql, parameters);
      expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"sessions"/);
      const touched = name === 'sweep' ? BATCH : KEPT;
      if (name === 'sweep') expect(rows).toBe(BATCH);
      expect(pages, plan).toBeLessThanOrEqual(MAX_PAGES_A_ROW * touched);
    }
  });

  /** Executes a statement with the sessions of the third user there, and undoes it. */
  async function explain(sql: string, parameters: readonly unknown[]) {
    await client.query('begin');
    try {
      await client.query('delete from sessions where user_id = $1', [third.id]);
      await client.query(
        `insert into sessions
           select gen_random_uuid(), sha256(('own' || number)::bytea), $1::bigint, now(), now(), now(), '192.0.2.1', 'Firefox'
           from generate_series(1, $2) as number`,
        [third.id, KEPT],
      );
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [...parameters]);
      const [{ Plan: top }] = rows[0]['QUERY PLAN'];
      return {
        plan: JSON.stringify(top),
        pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'],
        rows: top.Plans?.[0]?.['Actual Rows'] ?? 0,
      };
    } finally {
      await client.query('rollback');
    }
  }
});
