import { TOKEN_ORDERS } from '@gatehouse/domain/tokens';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  days,
  type Lists,
  listed,
  needingAttention,
  openCountedLists,
} from '../../../testing/counted-lists.ts';
import { createStatementNames } from '../../database/statements/statement-names.ts';

/** The number of stored tokens; a hundred of them belong to the account. */
const STORED = 20_000;

const { client, pagesTouched, statementsOf, vacuum, close } = await openCountedLists();
afterAll(close);

const QUESTIONS: readonly (readonly [string, number, (lists: Lists) => Promise<unknown>])[] = [
  // A page has 51 tokens and rows of usage, each on a page of its own, and ten users. To the planner, finding them by
  // the index of the account costs the same as by the primary key, which reads 100 pages more.
  ...TOKEN_ORDERS.map((order) => [`by ${order}`, 270, listed({ order })] as const),
  ['whose name begins', 270, listed({ search: 'token' })],
  ['unused', 270, listed({ unusedSince: days(-90) })],
  ['refused since their use', 60, listed({ refusedSinceUse: true })],
  ['that need attention', 60, needingAttention],
];

/** Stores accounts with ten users and a hundred tokens each, with the rows of an account as far apart as possible. */
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
    const { pages, places } = await pagesTouched(ask);
    expect(pages, places).toBeLessThanOrEqual(most);
  },
);

test('statements are planned for the account that they are about', async () => {
  const statements: string[] = [];
  for (const [, , ask] of QUESTIONS) {
    statements.push(...(await statementsOf(ask)).map(({ sql }) => sql));
  }
  // A statement without a name is not prepared, so PostgreSQL never keeps one plan for accounts of all sizes.
  const statementName = createStatementNames();
  for (const statement of statements) expect(statementName(statement), statement).toBeUndefined();
});
