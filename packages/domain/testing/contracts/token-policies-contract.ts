import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds, type Instant, LAST_INSTANT } from '../../src/time/index.ts';
import {
  INITIAL_TOKEN_POLICY,
  NO_TOKEN_FLOOR,
  type ShortenedToken,
  type TokenFloor,
  type TokenLimits,
  type TokenPolicy,
  type TokenRules,
} from '../../src/token-policy/index.ts';
import { type NetworkMode, parseTokenNetworks, type Token } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  A_GUARD,
  anEvent,
  aRevocation,
  aSuccessor,
  aToken,
  givenActiveKey,
  givenAdmin,
  givenAdmins,
  givenToken,
  START,
  unwrap,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { givenServiceAccount } from '../service-account-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const DAY = 86_400_000;
const UNKNOWN = 999_999_999 as AccountId;
const networksOf = (mode: NetworkMode) => unwrap(parseTokenNetworks({ mode, list: ['203.0.113.0/24'] }));
const at = (milliseconds: number): Instant => addMilliseconds(START, milliseconds);

export function tokenPoliciesContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of TokenPolicies`, () => {
    const store = openRepositories(open);

    const personRules = (rules: Partial<TokenRules>): TokenPolicy => ({
      ...INITIAL_TOKEN_POLICY,
      person: { ...INITIAL_TOKEN_POLICY.person, ...rules },
    });
    const set = (accountId: AccountId, policy: TokenPolicy, event = anEvent()) =>
      store().tokenPolicies.set(
        accountId,
        () => ok(policy),
        () => event,
      );
    const setFloor = (floor: TokenFloor) =>
      store().tokenPolicies.setFloor(
        () => ok(floor),
        () => anEvent({ action: 'floor.set' }),
      );
    const limitTo = (user: User, rules: Partial<TokenRules>) =>
      set(user.accountId, personRules({ mustExpire: true, ...rules }));

    /** Sets the floor for persons while `act` runs: all tests share it. */
    async function withFloor<T>(limits: Partial<TokenLimits>, act: () => Promise<T>): Promise<T> {
      await setFloor({
        ...NO_TOKEN_FLOOR,
        person: { ...NO_TOKEN_FLOOR.person, mustExpire: true, ...limits },
      });
      return act().finally(() => setFloor(NO_TOKEN_FLOOR));
    }

    test('a new account has 90 days as its default and no limits, and an unknown account has no rules', async () => {
      const { accountId } = await givenAdmin(store());
      const found = await store().tokenPolicies.find(accountId);
      expect(found).toEqual({ own: INITIAL_TOKEN_POLICY, floor: NO_TOKEN_FLOOR });
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(await store().tokenPolicies.find(UNKNOWN)).toBeUndefined();
    });

    test('rules are set for each kind of holder, with one event made from both states', async () => {
      const { accountId } = await givenAdmin(store());
      const other = await givenAdmin(store());
      const after: TokenPolicy = {
        person: {
          mustExpire: true,
          maxLifetimeMs: 30 * DAY,
          scopes: ['orgs:read'],
          mustHaveNetworks: true,
          defaultLifetimeMs: 7 * DAY,
          confirmWithinMs: 14 * DAY,
        },
        service: { ...INITIAL_TOKEN_POLICY.service, mustExpire: true, defaultLifetimeMs: null },
      };
      const changed = await store().tokenPolicies.set(
        accountId,
        () => ok(after),
        (before, now) =>
          anEvent({ origin: `${before.person.defaultLifetimeMs} ${now.person.defaultLifetimeMs}` }),
      );
      expect(changed).toEqual(ok({ before: INITIAL_TOKEN_POLICY, after }));
      expect((await newestEvent(store()))?.origin).toBe(`${90 * DAY} ${7 * DAY}`);
      const found = await store().tokenPolicies.find(accountId);
      expect(found).toEqual({ own: after, floor: NO_TOKEN_FLOOR });
      expect(found).toSatisfy(isDeeplyFrozen);
      expect((await store().tokenPolicies.find(other.accountId))?.own).toEqual(INITIAL_TOKEN_POLICY);
    });

    test('rules that stay the same, and a refused change, leave no event', async () => {
      const { accountId } = await givenAdmin(store());
      const newest = await newestEvent(store());
      const { tokenPolicies } = store();
      const event = () => anEvent({ origin: 'never' });
      expect(await tokenPolicies.set(accountId, (before) => ok(before), event)).toMatchObject({ ok: true });
      const refused = err({ code: 'no' });
      expect(await tokenPolicies.set(accountId, () => refused, event)).toEqual(refused);
      expect(await tokenPolicies.setFloor(() => refused, event)).toEqual(refused);
      expect(await tokenPolicies.setFloor((before) => ok(before), event)).toMatchObject({ ok: true });
      expect(await tokenPolicies.set(UNKNOWN, (before) => ok(before), event)).toEqual(
        err({ code: 'account_not_found' }),
      );
      expect(await newestEvent(store())).toEqual(newest);
    });

    test('an admin sets rules only as an active admin of the account', async () => {
      const [admin, other] = await givenAdmins(store());
      const { accountId } = admin;
      const setBy = ({ id }: User) =>
        set(
          accountId,
          personRules({ mustExpire: true }),
          anEvent({ actor: { kind: 'user', id }, accountId }),
        );
      const refused = err({ code: 'not_allowed' });
      expect(await setBy(await givenAdmin(store()))).toEqual(refused);
      await store().users.setRole(other.id, 'member', () => anEvent());
      expect(await setBy(other)).toEqual(refused);
      expect((await store().tokenPolicies.find(accountId))?.own).toEqual(INITIAL_TOKEN_POLICY);
      expect(await setBy(admin)).toMatchObject({ ok: true });
    });

    test('the floor is set with one event, and is read with the rules of each account', async () => {
      const { accountId } = await givenAdmin(store());
      const limits = { maxLifetimeMs: 30 * DAY, scopes: ['orgs:read'], mustHaveNetworks: true } as const;
      await withFloor(limits, async () => {
        const floor = await store().tokenPolicies.findFloor();
        expect(floor.person).toEqual({ mustExpire: true, ...limits });
        expect(floor.service).toEqual(NO_TOKEN_FLOOR.service);
        expect(floor).toSatisfy(isDeeplyFrozen);
        expect(await store().tokenPolicies.find(accountId)).toEqual({ own: INITIAL_TOKEN_POLICY, floor });
        expect((await newestEvent(store()))?.action).toBe('floor.set');
      });
    });

    describe('a token is stored only if the stricter of the rules and the floor allows it:', () => {
      const tooLong = (maxLifetimeMs: number | null) =>
        err({ code: 'lifetime_not_allowed', holder: 'person', maxLifetimeMs });

      test('a new token, by its lifetime', async () => {
        const user = await givenAdmin(store());
        const key = await givenActiveKey(store());
        const insert = (expiresAt: Instant | null) =>
          store().tokens.insert(aToken(user, key, { expiresAt }), anEvent());
        await limitTo(user, { maxLifetimeMs: 30 * DAY });
        const newest = await newestEvent(store());
        expect(await insert(null)).toEqual(tooLong(30 * DAY));
        expect(await insert(at(30 * DAY + 1))).toEqual(tooLong(30 * DAY));
        expect(await newestEvent(store())).toEqual(newest);
        expect(await insert(at(30 * DAY))).toEqual(ok(undefined));
        await withFloor({ maxLifetimeMs: DAY }, async () => {
          expect(await insert(at(DAY + 1))).toEqual(tooLong(DAY));
          expect(await insert(at(DAY))).toEqual(ok(undefined));
        });
        await limitTo(user, { maxLifetimeMs: null });
        expect(await insert(null)).toEqual(tooLong(null));
        expect(await insert(LAST_INSTANT)).toEqual(ok(undefined));
      });

      test('a new token, by its scopes', async () => {
        const user = await givenAdmin(store());
        const key = await givenActiveKey(store());
        const insert = (...scopes: Token['scopes']) =>
          store().tokens.insert(aToken(user, key, { scopes }), anEvent());
        await set(user.accountId, personRules({ scopes: ['me:read', 'orders:*'] }));
        const refused = { code: 'scopes_not_allowed', holder: 'person', allowed: ['me:read', 'orders:*'] };
        expect(await insert('*')).toEqual(err({ ...refused, refused: ['*'] }));
        expect(await insert('me:read', 'orgs:read')).toEqual(err({ ...refused, refused: ['orgs:read'] }));
        expect(await insert('me:read', 'orders:read')).toEqual(ok(undefined));
        expect(await insert('orders:*')).toEqual(ok(undefined));
      });

      test('a new token, by its networks', async () => {
        const user = await givenAdmin(store());
        const key = await givenActiveKey(store());
        const insert = (networks: Token['networks']) =>
          store().tokens.insert(aToken(user, key, { networks }), anEvent());
        const refused = err({ code: 'networks_required', holder: 'person' });
        const isRefusedWithout = async () => {
          for (const networks of [null, networksOf('report-only')])
            expect(await insert(networks)).toEqual(refused);
          expect(await insert(networksOf('enforced'))).toEqual(ok(undefined));
        };
        await set(user.accountId, personRules({ mustHaveNetworks: true }));
        await isRefusedWithout();
        await set(user.accountId, INITIAL_TOKEN_POLICY);
        expect(await insert(null)).toEqual(ok(undefined));
        await withFloor({ mustExpire: false, mustHaveNetworks: true }, isRefusedWithout);
      });

      test('a token with networks, which keeps them while they are demanded', async () => {
        const user = await givenAdmin(store());
        const enforced = networksOf('enforced');
        const [has, lacks] = [
          await givenToken(store(), user, { networks: enforced }),
          await givenToken(store(), user),
        ];
        await set(user.accountId, personRules({ mustHaveNetworks: true }));
        const change = ({ id }: Token, networks: Token['networks']) =>
          store().tokenNetworks.set(id, networks, START, () => anEvent());
        const newest = await newestEvent(store());
        for (const networks of [null, networksOf('report-only')])
          expect(await change(has, networks)).toEqual(err({ code: 'networks_required', holder: 'person' }));
        expect(await newestEvent(store())).toEqual(newest);
        expect(await store().tokens.findRecord(has.id)).toMatchObject({ networks: enforced });
        expect(await change(lacks, networksOf('report-only'))).toMatchObject({ ok: true });
        const successor = aSuccessor({ ...lacks, networks: networksOf('report-only') });
        expect(await store().tokens.rotate(successor, { by: user.id }, [anEvent()])).toEqual(ok(undefined));
        await set(user.accountId, INITIAL_TOKEN_POLICY);
        expect(await change(has, null)).toMatchObject({ ok: true });
      });

      test('a sign-in token, by its lifetime only', async () => {
        const user = await givenAdmin(store());
        const key = await givenActiveKey(store());
        const signIn = (expiresAt: Instant) => {
          const token = aToken(user, key, { kind: 'sign-in', expiresAt });
          return store().tokens.insertSignIn(token, A_GUARD, anEvent());
        };
        await limitTo(user, { maxLifetimeMs: 2 * DAY, scopes: ['me:read'], mustHaveNetworks: true });
        expect(await signIn(at(2 * DAY + 1))).toEqual(tooLong(2 * DAY));
        expect(await signIn(at(2 * DAY))).toMatchObject({ ok: true });
        await withFloor({ maxLifetimeMs: DAY }, async () => {
          expect(await signIn(at(DAY + 1))).toEqual(tooLong(DAY));
        });
        await limitTo(user, { maxLifetimeMs: null });
        expect(await signIn(at(9999 * DAY))).toMatchObject({ ok: true });
      });

      test('a successor, by its lifetime only', async () => {
        const user = await givenAdmin(store());
        const old = await givenToken(store(), user);
        await limitTo(user, { maxLifetimeMs: DAY, scopes: ['me:read'] });
        const rotate = (expiresAt: Instant | null) =>
          store().tokens.rotate(aSuccessor(old, { expiresAt }), { by: user.id }, [anEvent()]);
        expect(await rotate(null)).toEqual(tooLong(DAY));
        expect(await rotate(at(DAY + 1))).toEqual(tooLong(DAY));
        expect(await rotate(at(DAY))).toEqual(ok(undefined));
      });

      test('a new expiry, counted from the change, and nothing else of a token that breaks the rules', async () => {
        const user = await givenAdmin(store());
        const { id } = await givenToken(store(), user);
        await limitTo(user, { maxLifetimeMs: DAY, scopes: ['me:read'] });
        const update = (changes: object, now = START) =>
          store().tokens.update(id, changes, now, () => anEvent());
        expect(await update({ expiresAt: at(DAY + 1) })).toEqual(tooLong(DAY));
        expect(await update({ name: 'Wiki' })).toMatchObject({ ok: true });
        expect(await update({ expiresAt: at(DAY + 5) }, at(5))).toMatchObject({ ok: true });
      });
    });

    describe('tokens that are too long', () => {
      const bound = { at: START, limit: 100 };
      const list = ({ accountId }: User, page = bound) => store().tokenPolicies.listTooLong(accountId, page);
      const idsOf = (listed: readonly ShortenedToken[]) => listed.map(({ token }) => token.id);

      async function givenLongTokens() {
        const user = await givenAdmin(store());
        const token = (expiresAt: Instant | null, parts: Partial<Token> = {}) =>
          givenToken(store(), user, { expiresAt, ...parts });
        const [long, never] = [await token(at(2 * DAY)), await token(null)];
        const signIn = await token(at(3 * DAY), { kind: 'sign-in' });
        await token(at(DAY));
        const revoked = await token(null);
        await store().tokens.revoke(revoked.id, aRevocation(), anEvent());
        await givenToken(store(), await givenAdmin(store()));
        return { user, long, never, signIn };
      }

      test('are listed with their new expiries, the longest first, page by page', async () => {
        const { user, long, never, signIn } = await givenLongTokens();
        expect(await list(user)).toEqual([]);
        await limitTo(user, { maxLifetimeMs: DAY });
        const listed = await list(user);
        expect(listed).toMatchObject(
          [never, signIn, long].map(({ id }) => ({ token: { id }, expiresAt: at(DAY) })),
        );
        expect(listed).toSatisfy(isDeeplyFrozen);
        for (const [index, { token }] of listed.entries()) {
          const page = await store().tokenPolicies.listTooLong(user.accountId, {
            ...bound,
            limit: 1,
            after: token,
          });
          expect(page).toEqual(listed.slice(index + 1, index + 2));
        }
        await limitTo(user, { maxLifetimeMs: null });
        expect(idsOf(await list(user))).toEqual([never.id]);
        expect(await store().tokenPolicies.listTooLong(UNKNOWN, bound)).toEqual([]);
      });

      test('are shortened in parts, each with an event, and no other token is', async () => {
        const { user, long, never, signIn } = await givenLongTokens();
        await limitTo(user, { maxLifetimeMs: DAY });
        const shorten = (limit: number) =>
          store().tokenPolicies.shorten(user.accountId, { at: START, limit }, ({ token }) =>
            anEvent({ origin: `shortened ${token.id}` }),
          );
        expect(idsOf(await shorten(2))).toEqual([never.id, signIn.id].sort());
        const newest = [never.id, signIn.id].sort().at(-1);
        expect((await newestEvent(store()))?.origin).toBe(`shortened ${newest}`);
        expect(await shorten(2)).toMatchObject([
          { token: { ...long, expiresAt: at(2 * DAY) }, expiresAt: at(DAY) },
        ]);
        expect(await shorten(2)).toEqual([]);
        for (const { id } of [long, never, signIn])
          expect(await store().tokens.findRecord(id)).toMatchObject({ expiresAt: at(DAY) });
        expect(await list(user)).toEqual([]);
        expect(await store().tokenPolicies.shorten(UNKNOWN, bound, () => anEvent())).toEqual([]);
      });

      test('are not shortened by a user who is no longer an admin', async () => {
        const { user, never } = await givenLongTokens();
        await limitTo(user, { maxLifetimeMs: DAY });
        const actor = { kind: 'user', id: (await givenAdmin(store())).id } as const;
        const { accountId } = user;
        const shortened = await store().tokenPolicies.shorten(accountId, bound, () =>
          anEvent({ actor, accountId }),
        );
        expect(shortened).toEqual([]);
        expect(await store().tokens.findRecord(never.id)).toMatchObject({ expiresAt: null });
      });
    });

    test('tokens that break the rules are found by a filter, in lists of all accounts and of one', async () => {
      const user = await givenAdmin(store());
      const { accountId } = user;
      const long = await givenToken(store(), user);
      const wide = await givenToken(store(), user, { expiresAt: at(DAY), scopes: ['orgs:read', 'me:read'] });
      const good = await givenToken(store(), user, {
        expiresAt: at(DAY),
        scopes: ['orgs:read', 'orders:read'],
      });
      const signIn = await givenToken(store(), user, { kind: 'sign-in', expiresAt: at(DAY) });
      const filter = { accountId, overPolicy: true, now: START, limit: 9 } as const;
      const found = async () => (await store().tokens.list(filter)).map(({ id }) => id);
      const foundInAccount = async () => {
        const query = { ...filter, section: 'active', order: 'newest', countLimit: 9 } as const;
        return (await store().tokens.listOfAccount(query)).tokens.map(({ id }) => id);
      };
      expect(await found()).toEqual([]);
      await limitTo(user, { maxLifetimeMs: DAY, scopes: ['orgs:read', 'orders:*'] });
      expect(await found()).toEqual([long.id, wide.id]);
      expect(await foundInAccount()).toEqual([wide.id, long.id]);
      expect(await store().tokens.count(filter)).toBe(2);
      for (const { id } of [long, wide, good, signIn]) {
        const isOverPolicy = (await found()).includes(id);
        expect(await store().tokens.findWithRotation(id, START)).toMatchObject([{ id, isOverPolicy }]);
      }
      await set(accountId, INITIAL_TOKEN_POLICY);
      const limited = await givenToken(store(), user, {
        expiresAt: at(DAY),
        networks: networksOf('enforced'),
      });
      await set(accountId, personRules({ mustHaveNetworks: true }));
      expect(await found()).toEqual([long.id, wide.id, good.id]);
      await set(accountId, INITIAL_TOKEN_POLICY);
      await withFloor({ mustExpire: false, mustHaveNetworks: true }, async () => {
        expect(await found()).toEqual([long.id, wide.id, good.id]);
        expect(await foundInAccount()).toEqual([good.id, wide.id, long.id]);
      });
      await withFloor({ maxLifetimeMs: DAY - 1 }, async () => {
        expect(await found()).toEqual([long.id, wide.id, good.id, signIn.id, limited.id]);
      });
    });

    test('the filter finds the tokens of each kind of holder by the rules of that kind', async () => {
      const user = await givenAdmin(store());
      const { accountId } = user;
      const ofPerson = await givenToken(store(), user);
      const ofService = await givenToken(store(), (await givenServiceAccount(store(), user)).user);
      const filter = { accountId, overPolicy: true, now: START, limit: 9 } as const;
      const query = { ...filter, section: 'active', order: 'newest', countLimit: 9 } as const;
      const [person, service] = [personRules({}).person, INITIAL_TOKEN_POLICY.service];
      for (const [policy, { id }] of [
        [{ person: { ...person, mustExpire: true }, service }, ofPerson],
        [{ person, service: { ...service, mustExpire: true } }, ofService],
      ] as const) {
        await set(accountId, policy);
        expect((await store().tokens.list(filter)).map((token) => token.id)).toEqual([id]);
        const { tokens, total } = await store().tokens.listOfAccount(query);
        expect([tokens.map((token) => token.id), total]).toEqual([[id], 1]);
        expect(await store().tokens.findWithRotation(id, START)).toMatchObject([{ id, isOverPolicy: true }]);
      }
    });
  });
}
