import type { AccountTokenQuery } from '@gatehouse/domain/tokens';
import { TOKEN_ORDERS } from '@gatehouse/domain/tokens';
import { emailKey } from '@gatehouse/domain/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { days, listed, needingAttention, openCountedLists } from '../../../testing/counted-lists.ts';

/**
 * The maximum number of pages of 8 KiB that a list reads: those of a section's indexes, or of the tokens themselves.
 */
const MAX_PAGES = 20_000;

/**
 * The number of active tokens, and of ended ones: a quarter each revoked, expired, and of a retired key, and an eighth
 * each of a disabled user and of one who is not confirmed.
 */
const EACH = 100_000;

const { client, pagesTouched, vacuum, close } = await openCountedLists();
afterAll(close);

const FILTERS: readonly (readonly [string, Partial<AccountTokenQuery>])[] = [
  ['all', {}],
  ['with a common scope', { scope: 'me:read' }],
  ['with a rare scope', { scope: 'organization:read' }],
  ['by a common name', { search: 'token' }],
  ['by a rare name', { search: 'token 77' }],
  ['of a creator', { creator: emailKey('user3@acme.example') }],
];
const OF_ACTIVE: typeof FILTERS = [
  ['unused', { unusedSince: days(-90) }],
  ['refused', { refusedSinceUse: true }],
  ['expiring', { expiringBefore: days(14) }],
  ['never expiring', { neverExpiring: true }],
  ['active', { state: 'active' }],
  ['being replaced', { state: 'being_replaced' }],
  ['of inactive creators', { creatorInactive: true }],
  ['breaking the rules', { overPolicy: true }],
];
const OF_ENDED: typeof FILTERS = (
  ['revoked', 'expired', 'key_retired', 'user_disabled', 'not_confirmed', 'account_suspended'] as const
).map((state) => [state, { state }] as const);

beforeAll(async () => {
  await client.query(`
    insert into accounts (name, created_at) values ('Acme', now());
    insert into users (account_id, email, email_key, name, role, password_hash, created_at, disabled_at,
        confirmed_until)
      select 1, 'user' || n || '@acme.example', 'user' || n || '@acme.example', 'Ada', 'admin', 'x', now(),
        case when n = 0 then now() end, case when n = 10 then timestamptz '2026-01-01' end
      from generate_series(0, 10) n;
    insert into signing_keys (id, format, state, public_key, sealed_secret, created_at, activated_at, retired_at)
      select 'key ' || state, 'paseto', state, decode(repeat('07', 32), 'hex'), 'x', now(), now(),
        case when state = 'retired' then now() end
      from unnest(array['active', 'retired']) state;
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at,
        revoked_at, revoked_by)
      select ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1,
        case ended when 'user_disabled' then 1 + 10 * (n % 2) else 2 + n % 9 end, 1, 'api', 'Token ' || n * 7919 % 1000003, 'paseto',
        case ended when 'key_retired' then 'key retired' else 'key active' end,
        case n % 20000 when 7 then array['organization:read'] else array['me:read'] end, timestamptz '2026-01-01',
        case when ended = 'expired' then date '2026-05-01' when n % 4 > 0 then date '2026-06-02' + (n % 400)::integer end,
        case ended when 'revoked' then now() end, case ended when 'revoked' then '{}'::jsonb end
      from (select n, (array['revoked', null, null, 'expired', null, null, 'key_retired', 'user_disabled'])[
        1 + n * 8 / (2 * ${EACH})] as ended from generate_series(0::bigint, 2 * ${EACH} - 1) n) as planned;
    -- No token breaks these rules, so each one has to be read.
    update token_policies set must_expire = false, max_lifetime_ms = null,
      scopes = array['me:read', 'organization:read'];
    update token_usage set last_used_at = case when ended then timestamptz '2026-01-01' else timestamptz '2026-02-01' end
        + n % 100 * interval '1 day', last_refused_at = timestamptz '2025-05-01', last_refused_reason = 'expired'
      from (select id, row_number() over (order by id) as n, revoked_at is not null or expires_at = '2026-05-01'
        or key_id = 'key retired' or user_id in (1, 11) as ended from tokens) as planned where id = token_id`);
  for (const table of ['tokens', 'token_usage']) await client.query(`vacuum full ${table}`);
  await vacuum();
}, 300_000);

const ACTIVE = [...FILTERS, ...OF_ACTIVE].map((filter) => ['active', ...filter] as const);
const ENDED = [...FILTERS, ...OF_ENDED].map((filter) => ['ended', ...filter] as const);

test.each([...ACTIVE, ...ENDED])(
  `%s tokens, %s, are listed in each order by reading at most ${MAX_PAGES} pages of the database`,
  async (section, _, filter) => {
    for (const order of TOKEN_ORDERS) {
      const { pages, places } = await pagesTouched(listed({ section, order, ...filter }));
      expect.soft(pages, `by ${order}\n${places}`).toBeLessThanOrEqual(MAX_PAGES);
    }
  },
);

test('what needs attention is found by reading no more, also if most of what was not used for longest has ended', async () => {
  const { pages, places } = await pagesTouched(needingAttention);
  expect(pages, places).toBeLessThanOrEqual(MAX_PAGES);
});
