import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import { type Token, type TokenId, tokenPruned } from '../../src/tokens/index.ts';
import { anEvent, aRevocation, givenAdmin, givenToken, START } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const DAY = 86_400_000;

/** The part of the TokenRepository contract that deletes tokens. */
export function tokenPruningContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  describe(`${name} keeps the pruning part of the contract of TokenRepository`, () => {
    const store = openRepositories(open);
    let times = 0;

    /** Tests share the store and prune all of it, so each has its own time, later than those before. */
    const aDay = () => {
      times += 1;
      return addMilliseconds(START, 100 * times * DAY);
    };
    const event = (token: Token, at: Instant): AuditEvent => ({ ...anEvent(), ...tokenPruned(token, at) });
    const prune = (endedBefore: Instant, limit = 100) =>
      store().tokens.prune({ endedBefore, limit }, (token) => event(token, endedBefore));
    const count = (endedBefore: Instant, limit = 100) => store().tokens.countEnded({ endedBefore, limit });
    const isThere = async (id: TokenId) => (await store().tokens.findRecord(id)) !== undefined;

    async function givenTokens(...parts: readonly Partial<Token>[]): Promise<readonly TokenId[]> {
      const user = await givenAdmin(store());
      const ids: TokenId[] = [];
      for (const each of parts) ids.push((await givenToken(store(), user, each)).id);
      return ids;
    }
    const signIn = (parts: Partial<Token>): Partial<Token> => ({ kind: 'sign-in', ...parts });
    const revoked = (at: Instant) => ({ revocation: aRevocation({ at }) });

    test('sign-in tokens that were revoked or expired before the time are deleted', async () => {
      const day = aDay();
      const ids = await givenTokens(
        signIn({ expiresAt: addMilliseconds(day, -1000) }),
        signIn(revoked(addMilliseconds(day, -1))),
        signIn({ expiresAt: addMilliseconds(day, DAY), ...revoked(addMilliseconds(day, -1)) }),
        signIn({ expiresAt: addMilliseconds(day, -1000), ...revoked(addMilliseconds(day, DAY)) }),
      );
      expect(await count(day)).toBe(4);
      expect(await prune(day)).toBe(4);
      expect(await Promise.all(ids.map(isThere))).toEqual([false, false, false, false]);
      expect(await prune(day)).toBe(0);
    });

    test('tokens that ended at the time or later, or have not ended, stay', async () => {
      const day = aDay();
      const ids = await givenTokens(
        signIn({ expiresAt: day }),
        signIn(revoked(day)),
        signIn({ expiresAt: addMilliseconds(day, DAY), ...revoked(day) }),
        signIn({ expiresAt: null }),
      );
      expect(await count(day)).toBe(0);
      expect(await prune(day)).toBe(0);
      expect(await Promise.all(ids.map(isThere))).toEqual([true, true, true, true]);
      await prune(addMilliseconds(day, DAY));
    });

    test('API tokens always stay', async () => {
      const day = aDay();
      const ids = await givenTokens(
        { expiresAt: addMilliseconds(day, -DAY) },
        revoked(addMilliseconds(day, -DAY)),
        { expiresAt: addMilliseconds(day, -DAY), ...revoked(addMilliseconds(day, -2 * DAY)) },
      );
      expect(await count(day)).toBe(0);
      expect(await prune(day)).toBe(0);
      expect(await Promise.all(ids.map(isThere))).toEqual([true, true, true]);
    });

    test('at most the limit are deleted at once, and counted', async () => {
      const day = aDay();
      const expired = signIn({ expiresAt: addMilliseconds(day, -1000) });
      await givenTokens(expired, expired, expired, expired, expired);
      expect(await count(day, 3)).toBe(3);
      expect(await prune(day, 2)).toBe(2);
      expect(await prune(day, 2)).toBe(2);
      expect(await prune(day, 2)).toBe(1);
    });

    test('each is recorded as an event, and its usage is deleted', async () => {
      const day = aDay();
      const expiresAt = addMilliseconds(day, -1000);
      const [id = expect.fail()] = await givenTokens(signIn({ expiresAt }));
      store().usage.used(id, START);
      await store().usage.flush();
      const token = (await store().tokens.find(id)) ?? expect.fail();
      expect(await prune(day)).toBe(1);
      expect(await newestEvent(store())).toEqual(event(token, day));
      expect(await store().tokens.find(id)).toBeUndefined();
    });

    test('a token whose event cannot be created stays', async () => {
      const day = aDay();
      const [id = expect.fail()] = await givenTokens(signIn({ expiresAt: addMilliseconds(day, -1000) }));
      const pruning = store().tokens.prune({ endedBefore: day, limit: 100 }, () => {
        throw new Error('no event');
      });
      await expect(pruning).rejects.toThrow('no event');
      expect(await isThere(id)).toBe(true);
      await prune(day);
    });
  });
}
