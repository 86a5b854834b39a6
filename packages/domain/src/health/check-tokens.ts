import type { Clock } from '../time/clock.ts';
import { later } from '../time/instant.ts';
import type { TokenFilter } from '../tokens/administration/token-filter.ts';
import type { TokenRepository } from '../tokens/token-repository.ts';
import { type CheckOutcome, type Finding, outcomeOf, type TokenCount } from './health-report.ts';

const UNUSED_DAYS = 90;
/** So many tell enough, and are quickly counted. */
const COUNTED = 1000;

export interface TokenPorts {
  readonly tokens: Pick<TokenRepository, 'count'>;
  readonly clock: Clock;
}

/** Tokens that something could still use, though nothing does. */
export async function checkUnusedTokens(ports: TokenPorts): Promise<CheckOutcome> {
  const unusedSince = later(ports.clock.now(), -UNUSED_DAYS * 86_400_000);
  const counted = await count(ports, { unusedSince });
  return outcomeOf(anyOf(counted, (some) => ({ code: 'tokens_unused', days: UNUSED_DAYS, ...some })));
}

/** Tokens that stay good until somebody thinks of them. */
export async function checkNeverExpiringTokens(ports: TokenPorts): Promise<CheckOutcome> {
  const counted = await count(ports, { neverExpiring: true });
  return outcomeOf(anyOf(counted, (some) => ({ code: 'tokens_never_expiring', ...some })));
}

/** Tokens that would be good if it were not for their creators. */
export async function checkInactiveCreators(ports: TokenPorts): Promise<CheckOutcome> {
  const disabled = await count(ports, { state: 'user_disabled' });
  const suspended = await count(ports, { state: 'account_suspended' });
  return outcomeOf([
    ...anyOf(disabled, (some) => ({ code: 'tokens_of_disabled_users', ...some })),
    ...anyOf(suspended, (some) => ({ code: 'tokens_of_suspended_accounts', ...some })),
  ]);
}

/** Sign-in tokens come and go by themselves: only API tokens are somebody's business. */
async function count({ tokens, clock }: TokenPorts, filter: TokenFilter): Promise<TokenCount> {
  const counted = await tokens.count({ ...filter, kind: 'api', now: clock.now(), limit: COUNTED + 1 });
  return { count: Math.min(counted, COUNTED), more: counted > COUNTED };
}

function anyOf(counted: TokenCount, finding: (some: TokenCount) => Finding): readonly Finding[] {
  return counted.count > 0 ? [finding(counted)] : [];
}
