import { TOKEN_ORDERS } from '@gatehouse/domain/tokens';
import { emailKey } from '@gatehouse/domain/users';
import { afterAll, expect, test } from 'vitest';
import {
  days,
  type Lists,
  listed,
  needingAttention,
  openCountedLists,
} from '../../../testing/counted-lists.ts';

/** The number of stored tokens; a tenth of them are ended tokens of the account under test. */
const [SMALL, LARGE] = [1000, 20_000];

const { client, pagesTouched, vacuum, close } = await openCountedLists();
afterAll(close);

const QUESTIONS: readonly (readonly [string, (lists: Lists) => Promise<unknown>])[] = [
  ...TOKEN_ORDERS.map((order) => [`by ${order}`, listed({ order })] as const),
  ['with a scope', listed({ scope: 'me:read' })],
  ['whose name begins', listed({ search: 'token 1' })],
  ['of an address', listed({ search: '203.0.113.9' })],
  ['of addresses that begin alike', listed({ search: '203.0.113.' })],
  ['of a creator', listed({ creator: emailKey('user0@acme.example') })],
  ['that are being replaced', listed({ state: 'being_replaced' })],
  ['unused', listed({ unusedSince: days(-90) })],
  ['refused since their use', listed({ refusedSinceUse: true })],
  ['expiring', listed({ expiringBefore: days(14) })],
  ['never expiring', listed({ neverExpiring: true })],
  ['that need attention', needingAttention],
];

/**
 * Stores tokens: ten active ones of the account and its ended ones (one third each revoked, expired, or with a retired
 * key), and other accounts' tokens.
 */
async function fill(size: number): Promise<void> {
  await client.query(`
    truncate accounts, users, tokens, token_usage, signing_keys restart identity cascade;
    insert into accounts (name, created_at) select 'Acme', now() from generate_series(1, 10);
    insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      select 1 + n % 10, 'user' || n || '@acme.example', 'user' || n || '@acme.example', 'Ada', 'admin', 'x', now()
      from generate_series(0, 99) n;
    insert into signing_keys (id, format, state, public_key, sealed_secret, created_at, activated_at, retired_at)
      select 'key ' || state, 'paseto', state, decode(repeat('07', 32), 'hex'), 'x', now(), now(),
        case when state = 'retired' then now() end
      from unnest(array['active', 'retired']) state;
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at,
        revoked_at, revoked_by)
      select ('01890000-0000-7000-8000-' || lpad(to_hex(n * 7919 % 1000003), 12, '0'))::uuid,
        1 + other, 1 + other + 10 * (n % 10), 1, 'api', 'Token ' || n, 'paseto',
        case when ended and n % 3 = 0 then 'key retired' else 'key active' end, array['me:read'],
        timestamptz '2026-01-01',
        case when ended and n % 3 = 1 then date '2026-05-01' when n % 4 > 0 then date '2026-06-02' + (n % 400)::integer end,
        case when ended and n % 3 = 2 then now() end, case when ended and n % 3 = 2 then '{}'::jsonb end
      from (
        select n, case when n < 10 + ${size} / 10 then 0 else 1 + n % 9 end as other,
          n >= 10 and n < 10 + ${size} / 10 as ended
        from generate_series(0::bigint, ${size} - 1) n) as planned;
    update token_usage set last_used_at = timestamptz '2026-02-01', last_refused_at = timestamptz '2026-05-01',
        last_refused_reason = 'expired';
    insert into token_addresses (token_id, used, refused) select id, jsonb_build_array(
        jsonb_build_object('address', '10.0.0.1', 'first', 0, 'last', 2, 'times', 1), jsonb_build_object('address',
          case when name = 'Token 1' then '203.0.113.9' else '10.1.' || name end, 'first', 0, 'last', 1, 'times', 1)), '[]'
      from tokens`);
  // Without the dead rows and half-filled pages that the update leaves.
  for (const table of ['tokens', 'token_usage', 'searched_addresses'])
    await client.query(`vacuum full ${table}`);
  await vacuum();
}

test('ten active tokens are found at the same cost among a hundred ended ones and among thousands', async () => {
  const small = new Map<string, number>();
  await fill(SMALL);
  for (const [name, ask] of QUESTIONS) small.set(name, (await pagesTouched(ask)).pages);
  await fill(LARGE);
  for (const [name, ask] of QUESTIONS) {
    // Among few tokens PostgreSQL reads whole tables of some pages instead of an index for each token.
    const { pages, places } = await pagesTouched(ask);
    expect(pages, `tokens ${name}\n${places}`).toBeLessThan((small.get(name) ?? 0) * 1.2 + 40);
  }
});
