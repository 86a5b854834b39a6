import type { AccountId } from '@gatehouse/domain/accounts';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import type { AccountTokenQuery } from '@gatehouse/domain/tokens';
import { TOKEN_ORDERS } from '@gatehouse/domain/tokens';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lists, openCountedLists } from '../../../testing/counted-lists.ts';
import { statementName } from '../../database/statement-names.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z') as Instant;
const days = (count: number) => addMilliseconds(NOW, count * 86_400_000);

/** The tokens that are stored; a hundred of them are the account's. */
const STORED = 20_000;

const { client, pagesTouched, statementsOf, vacuum, close } = await openCountedLists();
afterAll(close);

const LIST: AccountTokenQuery = {
  accountId: 1 as AccountId,
  section: 'active',
  order: 'newest',
  limit: 50,
  countLimit: 1001,
  now: NOW,
};

const needingAttention = ({ findNeedingAttention }: Lists) =>
  findNeedingAttention({
    ...LIST,
    countLimit: 101,
    expiringBefore: days(14),
    unusedSince: days(-90),
    limit: 3,
  });

const QUESTIONS: readonly (readonly [string, number, (lists: Lists) => Promise<unknown>])[] = [
  // The tokens of a page and their usage are 51 rows each, on as many pages; their users are ten. PostgreSQL finds these rows by
  // the index of the account or by the primary key, which costs a page more for each.
  ...TOKEN_ORDERS.map((order) => listed(`by ${order}`, 300, { order })),
  listed('whose name begins', 300, { search: 'token' }),
  listed('unused', 300, { unusedSince: days(-90) }),
  listed('refused since their use', 60, { refusedSinceUse: true }),
  ['that need attention', 60, needingAttention],
];

function listed(name: string, most: number, parts: Partial<AccountTokenQuery>) {
  return [name, most, ({ listOfAccount }: Lists) => listOfAccount({ ...LIST, ...parts })] as const;
}

/** Accounts with ten users and a hundred tokens each, whose rows are as far from each other as they can be. */
beforeAll(async () => {
  await client.query(`
    insert into accounts (name, created_at) select 'Acme', now() from generate_series(1, ${STORED} / 100);
    insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      select 1 + n % (${STORED} / 100), 'user' || n || '@acme.example', 'user' || n || '@acme.example', 'Ada', 'admin',
        'x', now()
      from generate_series(0, ${STORED} / 10 - 1) n;
    insert into signing_keys (id, format, state, public_key, sealed_secret, created_at, activated_at)
      values ('key', 'paseto', 'active', decode(repeat('07', 32), 'hex'), 'x', now(), now());
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at)
      select ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1 + n % (${STORED} / 100),
        1 + n % (${STORED} / 10), 1, 'api', 'Token ' || n, 'paseto', 'key', array['me:read'], timestamptz '2026-01-01',
        case when n / (${STORED} / 100) % 4 > 0 then date '2026-06-02' + (n % 400)::integer end
      from generate_series(0::bigint, ${STORED} - 1) n;
    update token_usage set last_used_at = timestamptz '2026-02-01'`);
  for (const table of ['tokens', 'token_usage']) await client.query(`vacuum full ${table}`);
  await vacuum();
});

test.each(QUESTIONS)(
  'tokens %s are found by reading at most %i pages of the database',
  async (_, most, ask) => {
    expect(await pagesTouched(ask)).toBeLessThanOrEqual(most);
  },
);

test('statements are planned for the account that they are about', async () => {
  const statements: string[] = [];
  for (const [, , ask] of QUESTIONS) {
    statements.push(...(await statementsOf(ask)).map(({ sql }) => sql));
  }
  // One without a name is not prepared, and so PostgreSQL never keeps one plan for accounts of all sizes.
  for (const statement of statements) expect(statementName(statement), statement).toBeUndefined();
});
