import { describe, expect, test } from 'vitest';
import { addMilliseconds } from '../../src/time/index.ts';
import type { Token, TokenId } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAdmin, givenToken, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const HOUR = 3_600_000;

/** The part of the TokenRepository contract that limits the sign-ins of a user. */
export function signInBoundContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the part of the contract of TokenRepository that bounds sign-ins`, () => {
    const store = openRepositories(open);
    const revocation = aRevocation({ at: START, reason: 'too many' });
    const bound = ({ id: userId }: User, keep: number, limit = 10) =>
      store().tokens.endOldestSignIns({ userId, keep, limit }, revocation, anEvent());
    const aUser = async () => givenAdmin(store());

    /** Creates sign-in tokens, the newest last. */
    async function givenSignIns(user: User, ...parts: readonly Partial<Token>[]) {
      const ids: TokenId[] = [];
      for (const part of parts) {
        const signIn = { kind: 'sign-in', expiresAt: addMilliseconds(START, HOUR), ...part } as const;
        ids.push((await givenToken(store(), user, signIn)).id);
      }
      return ids;
    }
    const isLive = async (id: TokenId) => (await store().tokens.findRecord(id))?.revocation === null;
    const living = (ids: readonly TokenId[]) => Promise.all(ids.map(isLive));

    test('the number to keep is kept', async () => {
      const user = await aUser();
      const ids = await givenSignIns(user, {}, {}, {});
      const before = await newestEvent(store());
      expect(await bound(user, 3)).toBe(0);
      expect(await living(ids)).toEqual([true, true, true]);
      expect(await newestEvent(store())).toEqual(before);
    });

    test('the oldest are revoked, each with an event by the actor of the cause', async () => {
      const user = await aUser();
      const ids = await givenSignIns(user, {}, {}, {}, {});
      expect(await bound(user, 3)).toBe(1);
      expect(await living(ids)).toEqual([false, true, true, true]);
      const [oldest = expect.fail()] = ids;
      expect((await store().tokens.findRecord(oldest))?.revocation).toEqual(revocation);
      const { actor, origin, at } = anEvent();
      expect(await newestEvent(store())).toMatchObject({
        action: 'token.revoked',
        subject: { type: 'token', id: oldest },
        details: { reason: 'too many' },
        ...{ actor, origin, at },
      });
    });

    test('the newest is kept even if it expires first', async () => {
      const user = await aUser();
      const ids = await givenSignIns(user, {}, {}, { expiresAt: addMilliseconds(START, 1000) });
      expect(await bound(user, 2)).toBe(1);
      expect(await living(ids)).toEqual([false, true, true]);
    });

    test('at most the limit are revoked at once, out of those that expire first', async () => {
      const user = await aUser();
      const soon = { expiresAt: addMilliseconds(START, 1000) };
      const ids = await givenSignIns(user, {}, {}, soon, soon, soon, soon);
      expect(await bound(user, 1, 2)).toBe(2);
      expect(await living(ids)).toEqual([true, true, false, false, true, true]);
      expect(await bound(user, 1, 2)).toBe(2);
      expect(await bound(user, 1, 2)).toBe(1);
      expect(await bound(user, 1, 2)).toBe(0);
      expect(await living(ids)).toEqual([false, false, false, false, false, true]);
    });

    test('concurrent calls revoke each token once', async () => {
      const user = await aUser();
      await givenSignIns(user, {}, {}, {}, {}, {});
      const ended = await Promise.all([bound(user, 2), bound(user, 2), bound(user, 2)]);
      expect(ended.reduce((sum, count) => sum + count)).toBe(3);
    });

    test('API tokens, other users’ tokens and those that have ended do not count', async () => {
      const user = await aUser();
      await givenSignIns(await aUser(), {}, {});
      const api = await givenToken(store(), user);
      const ids = await givenSignIns(user, { expiresAt: START }, { revocation: aRevocation() }, {}, {});
      expect(await bound(user, 2)).toBe(0);
      expect(await bound(user, 1)).toBe(1);
      expect(await living([api.id, ...ids])).toEqual([true, true, false, false, true]);
    });
  });
}
