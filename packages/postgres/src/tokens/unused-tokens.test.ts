import type { TokenQuery } from '@gatehouse/domain/tokens';
import { afterAll, describe, expect, test } from 'vitest';
import { days, LIST, type Lists, openCountedLists } from '../../testing/counted-lists.ts';

/** The number of stored tokens; a tenth of them are sign-ins. */
const [SMALL, LARGE] = [4000, 30_000];

/** The first tokens differ from all others; a tenth of them are sign-ins as well. */
const SPECIAL = 40;

const { client, lists, pagesTouched, vacuum, close } = await openCountedLists();
afterAll(close);

const QUERY: TokenQuery = { unusedSince: days(-90), now: LIST.now, limit: 50 };
/**
 * Asks for no sign-ins: PostgreSQL has no statistics of a partial index such as theirs, and may read all that are
 * stored. Ended ones are pruned.
 */
const QUESTIONS: readonly (readonly [string, (lists: Lists) => Promise<unknown>])[] = [
  ['counted', ({ count }) => count({ ...QUERY, kind: 'api', limit: 101 })],
  ['listed', ({ list }) => list({ ...QUERY, kind: 'api' })],
];

const OLD = `(timestamptz '2026-06-01' - (100 + n % 300) * interval '1 day')`;
const LATELY = `(timestamptz '2026-06-01' - (1 + n % 80) * interval '1 day')`;

interface Population {
  readonly createdAt: string;
  readonly usedAt: string;
  /** Whether an API token has ended; of the sign-ins, only the special ones have not. */
  readonly ended: string;
  /** The number of unused tokens that have not ended, of this many stored. */
  readonly unused: (stored: number) => number;
}

const POPULATIONS: readonly (readonly [string, Population])[] = [
  [
    'nearly all were used lately',
    {
      createdAt: OLD,
      usedAt: `case when not special then ${LATELY} when n % 2 = 0 then ${OLD} end`,
      ended: 'false',
      unused: () => SPECIAL,
    },
  ],
  [
    'nearly all were never used, and are young',
    {
      createdAt: `case when special then ${OLD} else ${LATELY} end`,
      usedAt: 'null',
      ended: 'false',
      unused: () => SPECIAL,
    },
  ],
  [
    'nearly all are unused',
    {
      createdAt: OLD,
      usedAt: `case when special then ${LATELY} when n % 2 = 0 then ${OLD} end`,
      ended: 'false',
      unused: (stored) => stored * 0.9 - SPECIAL * 0.9,
    },
  ],
  [
    'nearly all have ended, and are unused',
    { createdAt: OLD, usedAt: 'null', ended: 'not special', unused: () => SPECIAL },
  ],
];

async function fill(stored: number, { createdAt, usedAt, ended }: Population): Promise<void> {
  await client.query(`
    truncate accounts, users, tokens, token_usage, signing_keys restart identity cascade;
    insert into accounts (name, created_at) values ('Acme', now());
    insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      values (1, 'ada@acme.example', 'ada@acme.example', 'Ada', 'admin', 'x', now());
    insert into signing_keys (id, format, state, public_key, sealed_secret, created_at, activated_at)
      values ('key', 'paseto', 'active', decode(repeat('07', 32), 'hex'), 'x', now(), now());
    create temp table planned as
      select ('01890000-0000-7000-8000-' || lpad(to_hex(n * 7919 % 1000003), 12, '0'))::uuid as id, n, special,
        ${createdAt} as created_at, ${usedAt}::timestamptz as used_at,
        case when n % 10 = 9 then 'sign-in' else 'api' end as kind,
        case when n % 10 < 9 then ${ended} else not special end as ended
      from (select n, n < ${SPECIAL} as special from generate_series(0::bigint, ${stored} - 1) n) as numbers;
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at,
        revoked_at, revoked_by)
      select id, 1, 1, 1, kind, 'Token ' || n, 'paseto', 'key', array['me:read'], created_at,
        case when ended and n % 4 < 2 then date '2026-05-01' when kind = 'sign-in' or n % 4 > 0 then date '2027-01-01' end,
        case when ended and n % 4 >= 2 then now() end, case when ended and n % 4 >= 2 then '{}'::jsonb end
      from planned;
    insert into token_usage (token_id, last_used_at) select id, used_at from planned where used_at is not null
      on conflict (token_id) do update set last_used_at = excluded.last_used_at;
    drop table planned`);
  // Without the dead rows that the update leaves.
  for (const table of ['tokens', 'token_usage']) await client.query(`vacuum full ${table}`);
  await vacuum();
}

describe.each(POPULATIONS)('unused tokens, where %s,', (_, population) => {
  test('are found at the same cost among four thousand and among thirty thousand', async () => {
    const small = new Map<string, number>();
    await fill(SMALL, population);
    for (const [name, ask] of QUESTIONS) small.set(name, (await pagesTouched(ask)).pages);
    await fill(LARGE, population);
    expect(Number(await lists.count({ ...QUERY, limit: LARGE }))).toBe(population.unused(LARGE));
    for (const [name, ask] of QUESTIONS) {
      // The few tokens that are found may be on a page each.
      const { pages, places } = await pagesTouched(ask);
      expect.soft(pages, `${name}\n${places}`).toBeLessThan((small.get(name) ?? 0) * 1.2 + 120);
    }
  }, 300_000);
});
