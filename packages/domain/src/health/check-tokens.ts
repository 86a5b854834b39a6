import { type Counted, counted } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { addMilliseconds, formatInstant } from '../time/instant.ts';
import type { TokenFilter } from '../tokens/administration/token-filter.ts';
import { defineCheck, outcomeOf, seconds } from './check.ts';

const UNUSED_DAYS = 90;
/** Tokens are counted only up to this number, so that the count is quick. */
const MAX_COUNTED = 1000;

type TokenPorts = Ports<'tokens' | 'clock'>;

/**
 * Returns the finding if the filter selects any API tokens. Sign-in tokens are not counted, because they always expire.
 */
async function count<const Rest extends { readonly code: string }>(
  { tokens, clock }: TokenPorts,
  filter: TokenFilter,
  finding: Rest,
): Promise<readonly (Rest & Counted)[]> {
  const found = await tokens.count({ ...filter, kind: 'api', now: clock.now(), limit: MAX_COUNTED + 1 });
  return found === 0 ? [] : [{ ...finding, ...counted(found, MAX_COUNTED) }];
}

/** Reports active tokens that were not used for a long time. */
export const unusedTokensCheck = defineCheck({
  id: 'unused_tokens',
  passed: 'Every API token was created or used in the last 90 days.',
  name: 'unused tokens',
  async run(ports: TokenPorts) {
    const unusedSince = addMilliseconds(ports.clock.now(), -UNUSED_DAYS * 86_400_000);
    return outcomeOf(await count(ports, { unusedSince }, { code: 'tokens_unused', days: UNUSED_DAYS }));
  },
  findings: {
    tokens_unused: ({ days, ...counted }) => ({
      message: `${tokens(counted, 'was', 'were')} not used for ${days} days.`,
      remedy: `Run \`gatehouse token list --kind api --unused-for ${days}d\` to list these tokens, and revoke those that are not needed.`,
    }),
  },
});

/** Reports active tokens that never expire. */
export const neverExpiringTokensCheck = defineCheck({
  id: 'never_expiring_tokens',
  passed: 'Every API token expires.',
  name: 'tokens that never expire',
  async run(ports: TokenPorts) {
    return outcomeOf(await count(ports, { neverExpiring: true }, { code: 'tokens_never_expiring' }));
  },
  findings: {
    tokens_never_expiring: (counted) => ({
      message: `${tokens(counted, 'never expires', 'never expire')}.`,
      remedy:
        'Run `gatehouse token list --kind api --never-expiring` to list these tokens. Replace those that need not be permanent by tokens with an expiry (--expires-in).',
    }),
  },
});

/** Reports active tokens that break the rules of their account, or the floor. */
export const overPolicyTokensCheck = defineCheck({
  id: 'tokens_over_policy',
  passed: 'Every API token keeps the rules of its account and of the operator.',
  name: 'tokens that break the rules of their account',
  async run(ports: TokenPorts) {
    return outcomeOf(await count(ports, { overPolicy: true }, { code: 'tokens_over_policy' }));
  },
  findings: {
    tokens_over_policy: (counted) => ({
      message: `${tokens(counted, 'breaks', 'break')} the rules of the account or of the operator. They were issued before the rules.`,
      remedy:
        'Run `gatehouse token list --kind api --over-policy` to list these tokens. `gatehouse token apply-policy` shortens those that would be accepted for too long; replace those with other scopes, and set the networks of those without.',
    }),
  },
});

/** Reports live tokens whose creator is disabled or whose account is suspended. */
export const inactiveCreatorsCheck = defineCheck({
  id: 'inactive_creators',
  passed: 'No live API token belongs to a disabled user or a suspended account.',
  name: 'tokens of inactive creators',
  async run(ports: TokenPorts) {
    return outcomeOf([
      ...(await count(ports, { state: 'user_disabled' }, { code: 'tokens_of_disabled_users' })),
      ...(await count(ports, { state: 'not_confirmed' }, { code: 'tokens_of_unconfirmed_persons' })),
      ...(await count(ports, { state: 'account_suspended' }, { code: 'tokens_of_suspended_accounts' })),
    ]);
  },
  findings: {
    tokens_of_disabled_users: (counted) => ({
      message: `${tokens(counted, 'belongs', 'belong')} to disabled users, although disabling a user revokes the tokens of the user. The database was changed by hand.`,
      remedy:
        'Run `gatehouse token list --kind api --state user_disabled` to list these tokens, and revoke them.',
    }),
    tokens_of_unconfirmed_persons: (counted) => ({
      message: `${tokens(counted, 'belongs', 'belong')} to persons whom no identity provider has confirmed in time, and will be accepted again when these sign in with their provider.`,
      remedy:
        'Run `gatehouse token list --kind api --state not_confirmed` to list these tokens. Disable the users who have left.',
    }),
    tokens_of_suspended_accounts: (counted) => ({
      message: `${tokens(counted, 'belongs', 'belong')} to suspended accounts, and will be accepted again when the accounts are resumed.`,
      remedy:
        'Run `gatehouse token list --kind api --state account_suspended` to list these tokens, and revoke those that must not be accepted again.',
    }),
  },
});

function tokens({ count, more }: Counted, one: string, many: string): string {
  const number = count.toLocaleString('en');
  if (more) return `More than ${number} API tokens ${many}`;
  return count === 1 ? `1 API token ${one}` : `${number} API tokens ${many}`;
}

/**
 * The use of a token is normally stored within one second. If a server's recorder of uses takes longer than this, in
 * milliseconds, it is a finding.
 */
const TOLERATED_LAG_MS = 2000;
/**
 * A recorder's delay that was stored longer ago than this, in milliseconds, is ignored, because the recorder may be in
 * time again.
 */
const RECENT_MS = 60_000;

/** Checks that every recorder that has stored usage recently stored it in time. */
export const usageCheck = defineCheck({
  id: 'usage',
  passed: 'Servers store the uses of tokens in time.',
  name: 'the recording of uses',
  async run({ usageRecorders, storeProbe }: Ports<'usageRecorders' | 'storeProbe'>) {
    const lags = await usageRecorders.list();
    if (lags.length === 0) return { status: 'passed', remark: 'no_usage' } as const;
    const recently = addMilliseconds(await storeProbe.now(), -RECENT_MS);
    const late = lags.filter(({ storedAt, lagMs }) => storedAt >= recently && lagMs > TOLERATED_LAG_MS);
    return outcomeOf(late.map((lag) => ({ code: 'usage_behind' as const, ...lag })));
  },
  findings: {
    usage_behind: ({ storedAt, lagMs }) => ({
      message: `A server stored uses of tokens ${seconds(lagMs)} late, at ${formatInstant(storedAt)}.`,
      remedy:
        'Check the logs of the servers and the load of the database. Until this is corrected, Gatehouse shows the last uses of tokens late.',
    }),
  },
});
