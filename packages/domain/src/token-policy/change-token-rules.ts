import type { Scope } from '../access/rules.ts';
import { type InvalidInput, invalid, ok, type Result } from '../result.ts';
import {
  lifetimeWithin,
  TOKEN_HOLDERS,
  type TokenHolder,
  type TokenLimits,
  type TokenRules,
} from './token-policy.ts';

/** The changes to make to the limits of one kind of holder. A change that is undefined keeps the limit. */
export interface LimitChanges {
  readonly mustExpire?: boolean | undefined;
  /** Null removes the longest lifetime. */
  readonly maxLifetimeMs?: number | null | undefined;
  /** Null allows all scopes. */
  readonly scopes?: readonly string[] | null | undefined;
  readonly mustHaveNetworks?: boolean | undefined;
}

/** The changes to make to the rules of one kind of holder. */
export interface RuleChanges extends LimitChanges {
  /** Null for tokens that never expire. */
  readonly defaultLifetimeMs?: number | null | undefined;
  /** Null ends the rule. */
  readonly confirmWithinMs?: number | null | undefined;
}

/** Parses the scopes of a limit, and sorts them. */
export type ParseScopes = (texts: readonly string[]) => Result<readonly Scope[], InvalidInput>;

/** One hour. With a shorter lifetime, users would have to sign in again all the time. */
const MIN_MS = 3_600_000;

/** 100 years. */
const MAX_MS = 36_500 * 86_400_000;

/** Returns the limits with these changes. A longest lifetime implies that tokens must expire. */
export function changedLimits(
  before: TokenLimits,
  changes: LimitChanges,
  parse: ParseScopes,
): Result<TokenLimits, InvalidInput> {
  const { maxLifetimeMs = before.maxLifetimeMs, scopes: texts } = changes;
  const { mustHaveNetworks = before.mustHaveNetworks } = changes;
  const problem = lifetimeProblem(maxLifetimeMs);
  if (problem !== undefined) return invalid('max_lifetime', problem);
  if (changes.mustExpire === false && maxLifetimeMs !== null)
    return invalid('must_expire', 'cannot be turned off while there is a longest lifetime');
  const scopes = texts === undefined ? ok(before.scopes) : texts === null ? ok(null) : parse(texts);
  if (!scopes.ok) return scopes;
  const mustExpire = maxLifetimeMs !== null || (changes.mustExpire ?? before.mustExpire);
  return ok({ mustExpire, maxLifetimeMs, scopes: scopes.value, mustHaveNetworks });
}

/** The rules to change, and the kind of holder for whose tokens they are. */
interface RulesOf {
  readonly before: TokenRules;
  readonly holder: TokenHolder;
}

/** Returns the rules with these changes. A default lifetime that is not given is shortened to the longest lifetime. */
export function changedRules(
  { before, holder }: RulesOf,
  changes: RuleChanges,
  parse: ParseScopes,
): Result<TokenRules, InvalidInput> {
  const limits = changedLimits(before, changes, parse);
  if (!limits.ok) return limits;
  const { defaultLifetimeMs: given, confirmWithinMs = before.confirmWithinMs } = changes;
  const late = confirmationProblem(holder, confirmWithinMs);
  if (late !== undefined) return invalid('confirm_within', late);
  const rules = { ...limits.value, confirmWithinMs };
  const longest = lifetimeWithin(rules, given ?? null);
  if (given === undefined)
    return ok({ ...rules, defaultLifetimeMs: lifetimeWithin(rules, before.defaultLifetimeMs) });
  if (given === null && longest !== null)
    return invalid('default_lifetime', 'cannot be never, because tokens must expire');
  const problem = lifetimeProblem(given);
  if (problem !== undefined) return invalid('default_lifetime', problem);
  return longest === given
    ? ok({ ...rules, defaultLifetimeMs: given })
    : invalid('default_lifetime', 'must be at most the longest lifetime');
}

function confirmationProblem(holder: TokenHolder, confirmWithinMs: number | null): string | undefined {
  if (confirmWithinMs === null || holder === 'person') return lifetimeProblem(confirmWithinMs);
  return 'cannot be set for service accounts, which no identity provider knows';
}

function lifetimeProblem(lifetimeMs: number | null): string | undefined {
  if (lifetimeMs === null) return undefined;
  if (lifetimeMs < MIN_MS) return 'must be at least 1 hour';
  if (lifetimeMs > MAX_MS) return 'must be at most 36500 days';
  return lifetimeMs % 1000 === 0 ? undefined : 'must be a whole number of seconds';
}

/**
 * Makes the changes of each kind of holder. Returns the same object if the changes have no effect, or the error of the
 * first change that is refused.
 */
export function changeEach<Rules extends TokenLimits, Changes>(
  before: Readonly<Record<TokenHolder, Rules>>,
  changes: Readonly<Partial<Record<TokenHolder, Changes>>>,
  change: (rules: Rules, changes: Changes, holder: TokenHolder) => Result<Rules, InvalidInput>,
): Result<Readonly<Record<TokenHolder, Rules>>, InvalidInput> {
  let after = before;
  for (const holder of TOKEN_HOLDERS) {
    const given = changes[holder];
    if (given === undefined) continue;
    const changed = change(before[holder], given, holder);
    if (!changed.ok) return changed;
    if (textOf(changed.value) !== textOf(before[holder])) after = { ...after, [holder]: changed.value };
  }
  return ok(after);
}

const textOf = (rules: TokenLimits & Partial<TokenRules>) =>
  JSON.stringify([
    rules.mustExpire,
    rules.maxLifetimeMs,
    rules.scopes,
    rules.mustHaveNetworks,
    rules.defaultLifetimeMs,
    rules.confirmWithinMs,
  ]);
