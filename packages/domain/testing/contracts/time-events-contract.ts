import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { ok } from '../../src/index.ts';
import type { SigningKey } from '../../src/signing-keys/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import { NOT_WATCHED, type TokenOutcome, type WatchedToken } from '../../src/time-events/index.ts';
import { NO_TOKEN_FLOOR, type TokenLimits } from '../../src/token-policy/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import { anEvent, aSigningKey, givenAdmin, givenToken, START, unwrap } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

const HOUR_MS = 3_600_000;
const after = (hours: number) => addMilliseconds(START, hours * HOUR_MS);

export function timeEventsContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  describe(`${name} keeps the contract of TimeEvents`, () => {
    const store = openRepositories(open);

    /** Looks at all tokens that are due, `limit` at a time, and returns those that were found. */
    async function look(
      now: Instant,
      {
        limit = 1000,
        ...decided
      }: Partial<TokenOutcome['watch']> & { limit?: number; events?: readonly AuditEvent[] } = {},
    ) {
      const { events = [], ...watch } = decided;
      const found: WatchedToken[] = [];
      const { more } = await store().timeEvents.lookAtTokens({ now, limit }, (each) => {
        found.push(each);
        return { events, watch: { ...NOT_WATCHED, lookAt: null, ...watch } };
      });
      return { found, more };
    }
    const idsOf = (found: readonly WatchedToken[]) => found.map(({ record }) => record.id);
    const newest = async (count: number) =>
      (await store().audit.list({ limit: count })).map(({ event }) => event);

    /** A token, when no other token is due. */
    async function given(parts: Partial<Token> = {}) {
      const admin = await givenAdmin(store());
      await look(after(100_000));
      return { admin, token: await givenToken(store(), admin, parts) };
    }

    test('a new API token is found with its facts, once until it is due again', async () => {
      const { admin, token } = await given({ expiresAt: after(100) });
      store().usage.used(token.id, after(1), '192.0.2.7');
      store().usage.refused(token.id, after(2), 'insufficient_scope');
      await store().usage.flush();
      await givenToken(store(), admin, { kind: 'sign-in', expiresAt: after(100) });
      const { found, more } = await look(after(3), { lookAt: after(5) });
      expect(more).toBe(false);
      expect(found).toMatchObject([
        {
          record: { id: token.id, expiresAt: after(100), user: admin },
          usage: { lastUsedAt: after(1), lastRefusal: { at: after(2), reason: 'insufficient_scope' } },
          usedFrom: [{ address: '192.0.2.7', firstAt: after(1) }],
          watch: NOT_WATCHED,
        },
      ]);
      expect((await look(after(4))).found).toEqual([]);
      expect(idsOf((await look(after(5))).found)).toEqual([token.id]);
      expect((await look(after(99_999))).found).toEqual([]);
    });

    test('what was recorded about a token is returned, and the events are in the log', async () => {
      const { token } = await given();
      const watch = {
        expiresAt: after(10),
        daysLeft: 7,
        unusedSince: after(1),
        newestAddressAt: after(2),
      };
      const events = ['token.unused', 'token.expires_soon'].map((action) =>
        anEvent({ action: action as AuditEvent['action'], subject: { type: 'token', id: token.id } }),
      );
      await look(after(3), { ...watch, lookAt: after(5), events });
      expect(await newest(2)).toEqual(events.toReversed());
      const { found } = await look(after(5));
      expect(found).toMatchObject([{ watch }]);
    });

    test('if a decision fails, nothing is recorded', async () => {
      const { token } = await given();
      const failing = store().timeEvents.lookAtTokens({ now: after(1), limit: 10 }, () => {
        throw new Error('no decision');
      });
      await expect(failing).rejects.toThrow('no decision');
      expect(idsOf((await look(after(1))).found)).toEqual([token.id]);
    });

    test('tokens are found in batches, those first that are due longest', async () => {
      const { admin, token } = await given();
      await look(after(1), { lookAt: after(9) });
      const other = await givenToken(store(), admin);
      await look(after(1), { lookAt: after(8) });
      const one = await look(after(10), { limit: 1 });
      expect(one).toMatchObject({ found: [{ record: { id: other.id } }], more: true });
      expect(await look(after(10), { limit: 1 })).toMatchObject({ found: [{ record: { id: token.id } }] });
      expect(await look(after(10), { limit: 1 })).toEqual({ found: [], more: false });
    });

    test('a token is due at once when its expiry is made earlier, and when it is used from a new address', async () => {
      const { token } = await given({ expiresAt: after(1000) });
      const use = async (hours: number, from: string) => {
        store().usage.used(token.id, after(hours), from);
        await store().usage.flush();
      };
      await look(after(1));
      const details = unwrap(
        await store().tokens.update(token.id, { expiresAt: after(500) }, after(1), () => anEvent()),
      );
      expect(details).toBeDefined();
      expect(idsOf((await look(after(2))).found)).toEqual([token.id]);
      for (const from of ['192.0.2.7', '198.51.100.7']) {
        await use(3, from);
        expect(idsOf((await look(after(3))).found)).toEqual([token.id]);
      }
      // A use from an address that was only refused before, too.
      store().usage.refused(token.id, after(4), 'insufficient_scope', '203.0.113.7');
      await store().usage.flush();
      await look(after(4));
      await use(5, '203.0.113.7');
      expect(idsOf((await look(after(5))).found)).toEqual([token.id]);
      await use(6, '198.51.100.7');
      expect((await look(after(6))).found).toEqual([]);
    });

    test('a token that became due by a change is found at its own time, too', async () => {
      const { token } = await given({ expiresAt: after(1000) });
      await look(after(1), { lookAt: after(3) });
      store().usage.used(token.id, after(2), '192.0.2.7');
      await store().usage.flush();
      await look(after(10), { lookAt: after(12) });
      expect((await look(after(11))).found).toEqual([]);
      expect(idsOf((await look(after(12))).found)).toEqual([token.id]);
    });

    test('an active key is due once', async () => {
      const insert = async (parts: Partial<SigningKey>) => {
        const key = aSigningKey(parts);
        await store().signingKeys.insert(key, anEvent());
        return key;
      };
      const old =
        (await store().signingKeys.findActive('jwt')) ??
        (await insert({ format: 'jwt', state: 'active', activatedAt: START }));
      await insert({ format: 'jwt', state: 'staged', createdAt: START });
      const record = async (activatedUntil: Instant, limit = 1000) => {
        const due: SigningKey[] = [];
        const { more } = await store().timeEvents.recordDueKeys({ activatedUntil, limit }, (key) => {
          due.push(key);
          return anEvent({ action: 'key.due', subject: { type: 'key', id: key.id } });
        });
        return { due: due.filter(({ format }) => format === 'jwt'), more };
      };
      expect((await record(addMilliseconds(START, -1))).due).toEqual([]);
      expect(await record(START)).toEqual({ due: [old], more: false });
      expect(await newest(1)).toMatchObject([{ action: 'key.due' }]);
      expect((await record(START)).due).toEqual([]);
    });

    test('an account is found once for each change of its limits, if tokens break them', async () => {
      const { admin } = await given();
      await givenToken(store(), admin, { expiresAt: after(1000) });
      const { accountId } = admin;
      const set = async (parts: Partial<TokenLimits>) =>
        unwrap(
          await store().tokenPolicies.set(
            accountId,
            (before) => ok({ ...before, person: { ...before.person, ...parts } }),
            () => anEvent(),
          ),
        );
      const record = async () => {
        const counts: number[] = [];
        const batch = { now: after(1), limit: 1000, countLimit: 1000 };
        await store().timeEvents.recordExceededPolicies(batch, (id, tokens) => {
          if (id === accountId) counts.push(tokens);
          return anEvent({ action: 'policy.exceeded', accountId: id });
        });
        return counts;
      };
      expect(await record()).toEqual([]);
      await set({ mustExpire: true });
      expect(await record()).toEqual([1]);
      expect(await newest(1)).toMatchObject([{ action: 'policy.exceeded' }]);
      expect(await record()).toEqual([]);
      await set({ mustHaveNetworks: true });
      expect(await record()).toEqual([2]);
      await set({ mustHaveNetworks: false });
      expect(await record()).toEqual([1]);
      // Without limits between, the same limits count as changed.
      await set({ mustExpire: false });
      expect(await record()).toEqual([]);
      await set({ mustExpire: true });
      expect(await record()).toEqual([1]);
      await set({ mustExpire: false });
    });

    test('a changed floor changes the limits of all accounts, which are found in batches', async () => {
      const admins = [await givenAdmin(store()), await givenAdmin(store())];
      for (const admin of admins) await givenToken(store(), admin);
      const setFloor = (mustExpire: boolean) =>
        store().tokenPolicies.setFloor(
          () => ok({ ...NO_TOKEN_FLOOR, person: { ...NO_TOKEN_FLOOR.person, mustExpire } }),
          () => anEvent(),
        );
      await setFloor(true);
      const counts = new Map<number, number>();
      const record = (limit: number) =>
        store().timeEvents.recordExceededPolicies({ now: after(1), limit, countLimit: 1 }, (id, tokens) => {
          counts.set(id, (counts.get(id) ?? 0) + tokens);
          return anEvent();
        });
      expect(await record(1)).toEqual({ more: true });
      while ((await record(2)).more);
      for (const { accountId } of admins) expect(counts.get(accountId)).toBe(1);
      await setFloor(false);
    });
  });
}
