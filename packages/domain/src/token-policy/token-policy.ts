import type { Scope } from '../access/rules.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';

/** Persons and programs hold tokens. An account has rules for each of the two. */
export const TOKEN_HOLDERS = ['person', 'service'] as const;

export type TokenHolder = (typeof TOKEN_HOLDERS)[number];

/** The limits for tokens of one kind of holder. */
export interface TokenLimits {
  /** Whether a token must expire. Always true if there is a longest lifetime. */
  readonly mustExpire: boolean;
  /** The longest lifetime of a token, in milliseconds; null if there is none. */
  readonly maxLifetimeMs: number | null;
  /** The scopes that may be given to API tokens; null if all may be given. */
  readonly scopes: readonly Scope[] | null;
  /** Whether an API token must have networks that are enforced. */
  readonly mustHaveNetworks: boolean;
}

/** The limits for tokens of one kind of holder, and the lifetime of a token for which none is chosen. */
export interface TokenRules extends TokenLimits {
  /** In milliseconds; null if such a token never expires. */
  readonly defaultLifetimeMs: number | null;
  /**
   * How long, in milliseconds, tokens of a person are accepted after an identity provider last confirmed the person;
   * null for as long as they live. Always null for service accounts, which no provider knows.
   */
  readonly confirmWithinMs: number | null;
}

/** The rules of an account. */
export type TokenPolicy = Readonly<Record<TokenHolder, TokenRules>>;

/** The limits that the operator sets for all accounts. An account can only be stricter. */
export type TokenFloor = Readonly<Record<TokenHolder, TokenLimits>>;

/** The rules of an account and the floor, from one consistent read. */
export interface AccountTokenPolicy {
  readonly own: TokenPolicy;
  readonly floor: TokenFloor;
}

/** The default lifetime of tokens in a new account, in milliseconds: 90 days. */
export const DEFAULT_TOKEN_LIFETIME_MS = 90 * 86_400_000;

const NO_LIMITS: TokenLimits = Object.freeze({
  mustExpire: false,
  maxLifetimeMs: null,
  scopes: null,
  mustHaveNetworks: false,
});

/** The floor before the operator sets one. */
export const NO_TOKEN_FLOOR: TokenFloor = Object.freeze({ person: NO_LIMITS, service: NO_LIMITS });

const INITIAL_RULES: TokenRules = Object.freeze({
  ...NO_LIMITS,
  defaultLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
  confirmWithinMs: null,
});

/** The rules of a new account. */
export const INITIAL_TOKEN_POLICY: TokenPolicy = Object.freeze({
  person: INITIAL_RULES,
  service: INITIAL_RULES,
});

/** Returns the rules that hold: of each limit, the stricter one of the account and the floor. */
export function effectiveRules({ own, floor }: AccountTokenPolicy, holder: TokenHolder): TokenRules {
  const limits = stricter(own[holder], floor[holder]);
  const { defaultLifetimeMs, confirmWithinMs } = own[holder];
  return { ...limits, defaultLifetimeMs: lifetimeWithin(limits, defaultLifetimeMs), confirmWithinMs };
}

/** Returns the limits that allow only what both of them allow. */
export function stricter(one: TokenLimits, other: TokenLimits): TokenLimits {
  return {
    mustExpire: one.mustExpire || other.mustExpire,
    maxLifetimeMs: least(one.maxLifetimeMs, other.maxLifetimeMs),
    scopes: common(one.scopes, other.scopes),
    mustHaveNetworks: one.mustHaveNetworks || other.mustHaveNetworks,
  };
}

function least(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function common(one: readonly Scope[] | null, other: readonly Scope[] | null): readonly Scope[] | null {
  if (one === null || other === null) return one ?? other;
  const both = [
    ...one.filter((scope) => isListed(other, scope)),
    ...other.filter((scope) => isListed(one, scope)),
  ];
  return [...new Set(both)].sort();
}

/** Whether a list of scopes has this scope, or the one for all scopes of its service, such as `orders:*`. */
export function isListed(scopes: readonly Scope[], scope: Scope): boolean {
  const all: Scope = `${scope.slice(0, scope.indexOf(':'))}:*`;
  return scopes.includes(scope) || (scope !== '*' && scopes.includes(all));
}

/** Returns this lifetime, or the longest one that the limits allow. Null is a token that never expires. */
export function lifetimeWithin(
  { mustExpire, maxLifetimeMs }: TokenLimits,
  lifetimeMs: number | null,
): number | null {
  if (lifetimeMs === null) return mustExpire ? (maxLifetimeMs ?? DEFAULT_TOKEN_LIFETIME_MS) : null;
  return least(lifetimeMs, maxLifetimeMs);
}

/**
 * Returns the time from which the tokens of a person are refused who was last confirmed at this time; null if no rule
 * ends them, or no identity provider ever confirmed the person.
 */
export function confirmedUntil(
  confirmedAt: Instant | null,
  { confirmWithinMs }: Pick<TokenRules, 'confirmWithinMs'>,
): Instant | null {
  if (confirmedAt === null || confirmWithinMs === null) return null;
  return addMilliseconds(confirmedAt, confirmWithinMs);
}

/** The time of the last confirmation of a person whom the provider stopped confirming: 1970. */
export const NOT_CONFIRMED = 0 as Instant;
