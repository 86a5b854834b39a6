import { beforeEach, describe, expect, test } from 'vitest';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { Token, TokenChanges } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aSuccessor,
  aTokenId,
  givenAccount,
  givenSuccessor,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const HOUR = 3_600_000;
const at = (milliseconds: number): Instant => addMilliseconds(START, milliseconds);

/** The part of the contract of TokenRepository that renames and describes tokens, and brings their ends forward. */
export function tokenUpdateContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  describe(`${name} keeps the updating part of the contract of TokenRepository`, () => {
    const store = openRepositories(open);
    let user: User;
    let token: Token;

    beforeEach(async () => {
      user = await givenUser(store(), (await givenAccount(store())).id);
      token = await givenToken(store(), user, { name: 'ERP', expiresAt: at(10 * HOUR) });
    });

    const update = ({ id }: Pick<Token, 'id'>, changes: TokenChanges, now = START) =>
      store().tokens.update(id, changes, now, (before, after) =>
        anEvent({ action: 'token.updated', details: { before: before.name, after: after.name } }),
      );
    const tokenNow = async ({ id }: Token) => await store().tokens.find(id);
    const notUpdatable = (reason: string, more: object = {}) =>
      err({ code: 'token_not_updatable', reason, ...more });
    const taken = err({ code: 'token_name_taken' });

    test('name and end are changed together, with one event, and nothing else is', async () => {
      const before = await tokenNow(token);
      const after = { ...before, name: 'Wiki', expiresAt: at(HOUR) };
      const updated = await update(token, { name: 'Wiki', expiresAt: at(HOUR) });
      expect(updated).toEqual(ok({ before, after }));
      expect(updated).toSatisfy(({ value }) => isDeeplyFrozen(value.after));
      expect(await tokenNow(token)).toEqual(after);
      expect(await newestEvent(store())).toMatchObject({ details: { before: 'ERP', after: 'Wiki' } });
    });

    test('a description is given, changed and removed, and told in one event with the other changes', async () => {
      expect(await tokenNow(token)).toMatchObject({ description: null });
      const described = await update(token, { name: 'Wiki', description: 'Reads stock\nat night' });
      const after = { name: 'Wiki', description: 'Reads stock\nat night' };
      expect(described).toMatchObject({ value: { before: { description: null }, after } });
      expect(await tokenNow(token)).toMatchObject(after);
      const newest = await newestEvent(store());
      await update(token, { description: after.description });
      expect(await newestEvent(store())).toEqual(newest);
      await update(token, { description: 'Reads orders' });
      expect(await tokenNow(token)).toMatchObject({ name: 'Wiki', description: 'Reads orders' });
      await update(token, { description: null });
      expect(await tokenNow(token)).toMatchObject({ name: 'Wiki', description: null });
    });

    test.each<[string, TokenChanges]>([
      ['nothing', {}],
      ['its own name and end', { name: 'ERP', expiresAt: at(10 * HOUR) }],
    ])('a token that is given %s is not changed, without an event', async (_, changes) => {
      const newest = await newestEvent(store());
      const before = await tokenNow(token);
      expect(await update(token, changes)).toEqual(ok({ before, after: before }));
      expect(await newestEvent(store())).toEqual(newest);
    });

    test('an end is brought forward, never put off, not even to what it once was', async () => {
      const later = { expiresAt: at(10 * HOUR + 1) };
      expect(await update(token, later)).toEqual(
        err({ code: 'expiry_not_earlier', expiresAt: at(10 * HOUR) }),
      );
      await update(token, { expiresAt: at(HOUR) });
      expect(await update(token, { expiresAt: at(10 * HOUR) })).toEqual(
        err({ code: 'expiry_not_earlier', expiresAt: at(HOUR) }),
      );
      expect((await tokenNow(token))?.expiresAt).toBe(at(HOUR));
      const endless = await givenToken(store(), user, { name: 'Endless' });
      expect((await update(endless, { expiresAt: at(HOUR) })).ok).toBe(true);
      expect((await tokenNow(endless))?.expiresAt).toBe(at(HOUR));
    });

    test('only a live API token is changed', async () => {
      const unknown = { id: aTokenId() };
      expect(await update(unknown, { name: 'Wiki' })).toEqual(err({ code: 'token_not_found' }));
      const signIn = await givenToken(store(), user, { kind: 'sign-in' });
      expect(await update(signIn, { name: 'Wiki' })).toEqual(notUpdatable('sign_in'));
      expect(await update(token, { name: 'Wiki' }, at(10 * HOUR))).toEqual(notUpdatable('expired'));
      await store().tokens.revoke(token.id, aRevocation(), anEvent());
      expect(await update(token, { expiresAt: at(HOUR) })).toEqual(notUpdatable('revoked'));
      expect(await tokenNow(token)).toMatchObject({ name: 'ERP', expiresAt: at(10 * HOUR) });
    });

    test('a name is taken while another of the owner’s API tokens has it and has not ended', async () => {
      const wiki = await givenToken(store(), user, { name: 'Wiki', expiresAt: at(HOUR) });
      const newest = await newestEvent(store());
      expect(await update(token, { name: 'Wiki', expiresAt: at(1) })).toEqual(taken);
      expect(await tokenNow(token)).toMatchObject({ name: 'ERP', expiresAt: at(10 * HOUR) });
      expect(await newestEvent(store())).toEqual(newest);
      expect((await update(token, { name: 'Wiki' }, at(HOUR))).ok).toBe(true);
      expect(await tokenNow(wiki)).toMatchObject({ name: 'Wiki' });

      const colleague = await givenUser(store(), user.accountId);
      const theirs = await givenToken(store(), colleague);
      expect((await update(theirs, { name: 'Wiki' })).ok).toBe(true);
    });

    test('of concurrent tokens that are renamed to one name one has it', async () => {
      const tokens = [token, await givenToken(store(), user), await givenToken(store(), user)];
      const outcomes = await Promise.all(tokens.map((each) => update(each, { name: 'Twin' })));
      expect(outcomes.filter(({ ok: renamed }) => renamed)).toHaveLength(1);
      expect(outcomes.filter((outcome) => !outcome.ok)).toEqual([taken, taken]);
    });

    test('while a rotation is under way neither token is renamed, but each may end earlier', async () => {
      const successor = await givenSuccessor(store(), token, {}, HOUR);
      const successorId = successor.id;
      expect(await update(token, { name: 'Wiki' })).toEqual(notUpdatable('being_replaced', { successorId }));
      expect(await update(successor, { name: 'Wiki', expiresAt: at(HOUR) })).toEqual(
        notUpdatable('replaces_another', { predecessorId: token.id }),
      );
      expect((await update(token, { name: 'ERP', expiresAt: at(2 * HOUR) })).ok).toBe(true);
      expect((await update(successor, { expiresAt: at(3 * HOUR), description: 'New' })).ok).toBe(true);

      store().usage.used(successor.id, at(1000));
      await store().usage.flush();
      expect(await tokenNow(token)).toMatchObject({ replacedAt: at(1000), expiresAt: at(1000 + HOUR) });
      expect(await update(token, { name: 'Wiki' })).toEqual(notUpdatable('being_replaced', { successorId }));
      expect((await update(successor, { name: 'Wiki' })).ok).toBe(true);
      expect((await update(token, { expiresAt: at(2000) })).ok).toBe(true);
    });

    test('the first use of a successor puts no end off that was brought forward', async () => {
      const successor = await givenSuccessor(store(), token, {}, HOUR);
      await update(token, { expiresAt: at(2000) });
      store().usage.used(successor.id, at(1000));
      await store().usage.flush();
      expect(await tokenNow(token)).toMatchObject({ replacedAt: at(1000), expiresAt: at(2000) });
    });

    test.each<[string, TokenChanges]>([
      ['renamed', { name: 'Wiki' }],
      ['brought forward', { expiresAt: at(HOUR) }],
    ])('a successor that was made before its token was %s is refused', async (_, changes) => {
      const successor = aSuccessor(token);
      await update(token, changes);
      expect(await store().tokens.rotate(successor, { by: successor.userId }, [anEvent()])).toEqual(
        err({ code: 'token_changed' }),
      );
      expect(await tokenNow(successor)).toBeUndefined();
      const next = aSuccessor({ ...token, ...changes } as Token);
      expect(await store().tokens.rotate(next, { by: next.userId }, [anEvent()])).toEqual(ok(undefined));
    });
  });
}
