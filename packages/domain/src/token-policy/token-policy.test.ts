import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { START, unwrap } from '../../testing/index.ts';
import type { Scope } from '../access/rules.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import { type NetworkMode, parseTokenNetworks } from '../tokens/networks/token-networks.ts';
import { latestExpiry, limitProblem, networkChangeProblem, shortenedExpiry } from './token-limit.ts';
import {
  DEFAULT_TOKEN_LIFETIME_MS,
  effectiveRules,
  INITIAL_TOKEN_POLICY,
  isListed,
  NO_TOKEN_FLOOR,
  stricter,
  type TokenLimits,
} from './token-policy.ts';

const DAY = 86_400_000;
const NO_LIMITS = NO_TOKEN_FLOOR.person;
const within = (maxLifetimeMs: number): TokenLimits => ({ ...NO_LIMITS, mustExpire: true, maxLifetimeMs });
const ANY = { expiresAt: null, scopes: ['*'], networks: null } as const;
const MUST_EXPIRE: TokenLimits = { ...NO_LIMITS, mustExpire: true };

const networksOf = (mode: NetworkMode) => unwrap(parseTokenNetworks({ mode, list: ['203.0.113.0/24'] }));
const SCOPES: readonly Scope[] = ['*', 'me:read', 'orgs:read', 'orders:read', 'orders:*'];
const limits: fc.Arbitrary<TokenLimits> = fc
  .record({
    mustExpire: fc.boolean(),
    maxLifetimeMs: fc.option(fc.integer({ min: 1, max: 1000 }).map((days) => days * DAY)),
    scopes: fc.option(fc.subarray([...SCOPES], { minLength: 1 }), { freq: 2 }),
    mustHaveNetworks: fc.boolean(),
  })
  .map((made) => ({ ...made, mustExpire: made.mustExpire || made.maxLifetimeMs !== null }));
const token = fc.record({
  expiresAt: fc.option(fc.integer({ min: 1, max: 2000 * DAY }).map((life) => addMilliseconds(START, life))),
  scopes: fc.subarray([...SCOPES], { minLength: 1 }),
  networks: fc.constantFrom(null, networksOf('report-only'), networksOf('enforced')),
});

const problem = (given: TokenLimits, parts: Parameters<typeof limitProblem>[2]) =>
  limitProblem(given, 'person', parts, START);

describe('the rules for tokens', () => {
  test('the stricter of two limits allows what both of them allow', () => {
    fc.assert(
      fc.property(limits, limits, token, (one, other, given) => {
        const isAllowed = (by: TokenLimits) => problem(by, given) === undefined;
        expect(isAllowed(stricter(one, other))).toBe(isAllowed(one) && isAllowed(other));
        expect(stricter(one, one)).toEqual({ ...one, scopes: one.scopes && [...one.scopes].sort() });
      }),
      // Each limit decides only if all others allow the token.
      { numRuns: 5000 },
    );
  });

  test('a shortened expiry is allowed, is never later, and stays if it was allowed', () => {
    fc.assert(
      fc.property(limits, token, ({ mustExpire, maxLifetimeMs }, { expiresAt }) => {
        const given = { ...NO_LIMITS, mustExpire, maxLifetimeMs };
        const shortened = shortenedExpiry(given, START, expiresAt);
        expect(problem(given, { ...ANY, expiresAt: shortened })).toBeUndefined();
        expect(shortened ?? Infinity).toBeLessThanOrEqual(expiresAt ?? Infinity);
        if (problem(given, { ...ANY, expiresAt }) === undefined) expect(shortened).toBe(expiresAt);
      }),
    );
  });

  test.each<[string, TokenLimits, number | null, boolean]>([
    ['no limits', NO_LIMITS, null, true],
    ['an expiry that is required', MUST_EXPIRE, null, false],
    ['an expiry that is required', MUST_EXPIRE, 9999 * DAY, true],
    ['30 days', within(30 * DAY), null, false],
    ['30 days', within(30 * DAY), 30 * DAY, true],
    ['30 days', within(30 * DAY), 30 * DAY + 1, false],
  ])('with %s (%j), a lifetime of %s is allowed: %s', (_, given, life, isAllowed) => {
    const expiresAt = life === null ? null : addMilliseconds(START, life);
    const found = problem(given, { ...ANY, expiresAt });
    const refused = { code: 'lifetime_not_allowed', holder: 'person', maxLifetimeMs: given.maxLifetimeMs };
    expect(found).toEqual(isAllowed ? undefined : refused);
  });

  test('refused scopes are named, with the allowed ones', () => {
    const allowed: readonly Scope[] = ['me:read', 'orders:*'];
    const find = (...scopes: readonly Scope[]) =>
      problem({ ...NO_LIMITS, scopes: allowed }, { ...ANY, scopes });
    expect(find('me:read', 'orders:read', 'orders:*')).toBeUndefined();
    expect(find('*', 'me:read', 'orgs:read')).toEqual({
      code: 'scopes_not_allowed',
      holder: 'person',
      refused: ['*', 'orgs:read'],
      allowed,
    });
  });

  test('a token must have enforced networks if they are demanded, and no change takes them away', () => {
    const given = { ...NO_LIMITS, mustHaveNetworks: true };
    const refused = { code: 'networks_required', holder: 'person' };
    const [none, reporting, enforced] = [null, networksOf('report-only'), networksOf('enforced')];
    for (const networks of [none, reporting]) {
      expect(problem(given, { ...ANY, networks })).toEqual(refused);
      expect(problem(NO_LIMITS, { ...ANY, networks })).toBeUndefined();
      expect(networkChangeProblem(given, 'person', { networks: enforced }, { networks })).toEqual(refused);
      expect(networkChangeProblem(NO_LIMITS, 'person', { networks: enforced }, { networks })).toBeUndefined();
    }
    expect(problem(given, { ...ANY, networks: enforced })).toBeUndefined();
    expect(
      networkChangeProblem(given, 'person', { networks: none }, { networks: reporting }),
    ).toBeUndefined();
  });

  test('the scope for all scopes of a service includes only those of this service', () => {
    expect(isListed(['orders:*'], 'orders:read')).toBe(true);
    expect(isListed(['orders:*'], 'orders-old:read')).toBe(false);
    expect(isListed(['orders:read'], 'orders:*')).toBe(false);
    expect(isListed(['orders:*'], '*')).toBe(false);
    expect(isListed(['*'], 'me:read')).toBe(false);
  });

  test('the default lifetime is never longer than the floor allows', () => {
    const defaultOf = (defaultLifetimeMs: number | null, floor: TokenLimits) => {
      const own = { ...INITIAL_TOKEN_POLICY, person: { ...INITIAL_TOKEN_POLICY.person, defaultLifetimeMs } };
      return effectiveRules({ own, floor: { ...NO_TOKEN_FLOOR, person: floor } }, 'person').defaultLifetimeMs;
    };
    expect(defaultOf(null, NO_LIMITS)).toBeNull();
    expect(defaultOf(null, MUST_EXPIRE)).toBe(DEFAULT_TOKEN_LIFETIME_MS);
    expect(defaultOf(null, within(7 * DAY))).toBe(7 * DAY);
    expect(defaultOf(30 * DAY, within(7 * DAY))).toBe(7 * DAY);
    expect(defaultOf(5 * DAY, within(7 * DAY))).toBe(5 * DAY);
  });

  test('an expiry that need not be shortened keeps its fraction of a second', () => {
    const expiresAt = (START + DAY + 250) as Instant;
    expect(shortenedExpiry(within(2 * DAY), START, expiresAt)).toBe(expiresAt);
    expect(shortenedExpiry(within(DAY), addMilliseconds(START, 250), null)).toBe(START + DAY);
    expect(latestExpiry(NO_LIMITS, START)).toBeNull();
  });
});
