import type { Scope } from '../access/rules.ts';
import { addMilliseconds, type Instant, LAST_INSTANT, wholeSecond } from '../time/instant.ts';
import { isRestricted } from '../tokens/networks/token-networks.ts';
import type { Token } from '../tokens/token.ts';
import { isListed, lifetimeWithin, type TokenHolder, type TokenLimits } from './token-policy.ts';

/** The error if a token would be accepted for longer than the account or the operator allows. */
export interface LifetimeNotAllowed {
  readonly code: 'lifetime_not_allowed';
  readonly holder: TokenHolder;
  /** The longest lifetime that is allowed, in milliseconds; null if a token only must expire. */
  readonly maxLifetimeMs: number | null;
}

/** The error if a token would have scopes that the account or the operator does not allow. */
export interface ScopesNotAllowed {
  readonly code: 'scopes_not_allowed';
  readonly holder: TokenHolder;
  readonly refused: readonly Scope[];
  /** The scopes that are allowed. */
  readonly allowed: readonly Scope[];
}

/** The error if a token would have no enforced networks, and the account or the operator demands them. */
export interface NetworksRequired {
  readonly code: 'networks_required';
  readonly holder: TokenHolder;
}

/** The limit that a token would break. */
export type TokenLimitBroken = LifetimeNotAllowed | ScopesNotAllowed | NetworksRequired;

/**
 * Returns the error if the token would be accepted for too long, counted from `at`; undefined if its lifetime is
 * allowed. The time counts from now and not from the creation of the token: what matters is for how long a token that
 * leaks today would work. A new token is created now, so for it the two are equal.
 */
export function lifetimeProblem(
  limits: TokenLimits,
  holder: TokenHolder,
  { expiresAt }: Pick<Token, 'expiresAt'>,
  at: Instant,
): LifetimeNotAllowed | undefined {
  const latest = latestExpiry(limits, at);
  const isTooLong = latest !== null && (expiresAt === null || expiresAt > latest);
  return isTooLong
    ? { code: 'lifetime_not_allowed', holder, maxLifetimeMs: limits.maxLifetimeMs }
    : undefined;
}

/** Returns the latest expiry that the limits allow at this time; null if a token need not expire. */
export function latestExpiry({ mustExpire, maxLifetimeMs }: TokenLimits, at: Instant): Instant | null {
  if (maxLifetimeMs !== null) return addMilliseconds(at, maxLifetimeMs);
  return mustExpire ? LAST_INSTANT : null;
}

/**
 * Returns the first limit that an API token with this expiry, these scopes and these networks breaks at this time;
 * undefined if it breaks none.
 */
export function limitProblem(
  limits: TokenLimits,
  holder: TokenHolder,
  token: Pick<Token, 'expiresAt' | 'scopes' | 'networks'>,
  at: Instant,
): TokenLimitBroken | undefined {
  return (
    lifetimeProblem(limits, holder, token, at) ??
    scopesProblem(limits, holder, token) ??
    lackOfNetworks(limits, holder, token)
  );
}

/** Returns the error if a token without enforced networks is not allowed. */
function lackOfNetworks(
  { mustHaveNetworks }: TokenLimits,
  holder: TokenHolder,
  { networks }: Pick<Token, 'networks'>,
): NetworksRequired | undefined {
  return mustHaveNetworks && !isRestricted(networks) ? { code: 'networks_required', holder } : undefined;
}

/**
 * Returns the error if a change would take enforced networks from a token that must have them. A token that has none
 * yet may get networks that only report.
 */
export function networkChangeProblem(
  limits: TokenLimits,
  holder: TokenHolder,
  before: Pick<Token, 'networks'>,
  after: Pick<Token, 'networks'>,
): NetworksRequired | undefined {
  return isRestricted(before.networks) ? lackOfNetworks(limits, holder, after) : undefined;
}

function scopesProblem(
  { scopes: allowed }: TokenLimits,
  holder: TokenHolder,
  { scopes }: Pick<Token, 'scopes'>,
): ScopesNotAllowed | undefined {
  if (allowed === null) return undefined;
  const refused = scopes.filter((scope) => !isListed(allowed, scope));
  return refused.length > 0 ? { code: 'scopes_not_allowed', holder, refused, allowed } : undefined;
}

/**
 * Returns the latest expiry that the limits allow at this time, but none later than this expiry. Null is a token that
 * never expires.
 */
export function shortenedExpiry(limits: TokenLimits, at: Instant, expiresAt: Instant | null): Instant | null {
  const lifetime = lifetimeWithin(limits, expiresAt === null ? null : expiresAt - at);
  if (lifetime === null) return null;
  return expiresAt !== null && lifetime === expiresAt - at
    ? expiresAt
    : wholeSecond(addMilliseconds(at, lifetime));
}
