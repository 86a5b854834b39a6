import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import type { SigningKey } from '../../src/signing-keys/index.ts';
import { addMilliseconds, formatInstant, type Instant } from '../../src/time/index.ts';
import type { Successor, Token } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  A_GUARD,
  anEvent,
  aRevocation,
  aSuccessor,
  aToken,
  aTokenId,
  givenAccount,
  givenActiveKey,
  givenSuccessor,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { newestEvent } from './open-repositories.ts';

const HOUR = 3_600_000;
const at = (milliseconds: number): Instant => addMilliseconds(START, milliseconds);

/** The part of the contracts of TokenRepository and UsageRecorder that rotates tokens. */
export function tokenRotationContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  let store: Awaited<ReturnType<typeof open>>;
  let account: Account;
  let user: User;
  let key: SigningKey;
  let old: Token;

  /** Opens a store for the enclosing suite. Tests share it, and each has its own account and token. */
  function givenTokenToRotate(): void {
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      account = await givenAccount(store);
      user = await givenUser(store, account.id);
      key = await givenActiveKey(store);
      old = await givenToken(store, user, { name: 'ERP' });
    });
  }

  const rotate = (successor: Successor, by = user) =>
    store.tokens.rotate(successor, { by: by.id }, [anEvent()]);
  const revoke = (token: Token) => store.tokens.revoke(token.id, aRevocation(), anEvent());
  const tokenNow = async ({ id }: Token) => await store.tokens.findRecord(id);
  const used = async (token: Token, moment: Instant) => {
    store.usage.used(token.id, moment);
    await store.usage.flush();
  };
  const notRotatable = (reason: string, more: object = {}) =>
    err({ code: 'token_not_rotatable', reason, ...more });

  describe(`${name} keeps the rotating part of the contract of TokenRepository`, () => {
    givenTokenToRotate();

    test('the successor is stored with all events beside the token, which does not change', async () => {
      const successor = aSuccessor(old, { createdAt: at(5), scopes: ['me:read'] }, HOUR);
      const events = [anEvent({ action: 'token.rotated' }), anEvent({ action: 'token.created' })];
      expect(await store.tokens.rotate(successor, { by: user.id }, events)).toEqual(ok(undefined));
      expect(await tokenNow(successor)).toMatchObject(successor);
      expect(await tokenNow(old)).toMatchObject(old);
      expect((await store.tokens.find(old.id))?.successor).toBe(successor.id);
      const recorded = await store.audit.list({ limit: 2 });
      expect(recorded.map(({ event }) => event)).toEqual(events.toReversed());
    });

    test('the successor has the description of the token, which keeps it', async () => {
      await store.tokens.update(old.id, { description: 'Reads stock' }, at(1), () => anEvent());
      const successor = aSuccessor(old);
      await rotate(successor);
      for (const { id } of [old, successor])
        expect(await store.tokens.find(id)).toMatchObject({ description: 'Reads stock' });
    });

    test('of concurrent rotations one succeeds', async () => {
      const outcomes = await Promise.all([1, 2, 3].map(() => rotate(aSuccessor(old))));
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
      const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
      const successorId = (await store.tokens.find(old.id))?.successor;
      expect(refusals).toEqual(
        [1, 2].map(() => ({ code: 'token_not_rotatable', reason: 'being_replaced', successorId })),
      );
    });

    test('an id is inserted once, and all else is checked before it', async () => {
      const successor = aSuccessor(old);
      expect(await rotate(successor)).toEqual(ok(undefined));
      expect(await rotate(successor)).toEqual(notRotatable('being_replaced', { successorId: successor.id }));
      await revoke(successor);
      const before = await newestEvent(store);
      expect(await rotate(successor)).toEqual(err({ code: 'token_id_taken' }));
      expect(await rotate(aSuccessor(old, { id: old.id }))).toEqual(err({ code: 'token_id_taken' }));
      expect((await tokenNow(successor))?.revocation).not.toBeNull();
      expect(await newestEvent(store)).toEqual(before);
      expect(await rotate(aSuccessor(old))).toEqual(ok(undefined));
    });

    test('ended tokens and sign-in tokens are not rotated, and leave neither record nor event', async () => {
      const before = await newestEvent(store);
      const ending = await givenToken(store, user, { expiresAt: at(1000) });
      expect(await rotate(aSuccessor(ending, { createdAt: at(1000) }))).toEqual(notRotatable('expired'));
      const signIn = aToken(user, key, { kind: 'sign-in' });
      await store.tokens.insertSignIn(signIn, A_GUARD, anEvent());
      expect(await rotate(aSuccessor(signIn))).toEqual(notRotatable('sign_in'));
      const refused = aSuccessor(old);
      await revoke(old);
      expect(await rotate(refused)).toEqual(notRotatable('revoked'));
      expect(await tokenNow(refused)).toBeUndefined();
      expect(await rotate(aSuccessor({ ...old, id: aTokenId() }))).toEqual(err({ code: 'token_not_found' }));
      expect(await newestEvent(store)).toEqual(before);
    });

    test('a successor is rotated once it was used, or its predecessor has ended', async () => {
      const second = await givenSuccessor(store, old, {}, HOUR);
      expect(await rotate(aSuccessor(second))).toEqual(
        notRotatable('replaces_another', { predecessorId: old.id }),
      );
      await used(second, at(0));
      const third = await givenSuccessor(store, second);
      await revoke(second);
      expect(await rotate(aSuccessor(third))).toEqual(ok(undefined));
    });

    test('a token whose unused successor is revoked can be rotated again; after its first use, it cannot', async () => {
      await revoke(await givenSuccessor(store, old));
      const second = await givenSuccessor(store, old, {}, HOUR);
      await used(second, at(0));
      await revoke(second);
      expect(await rotate(aSuccessor(old))).toEqual(notRotatable('being_replaced', { successorId: null }));
    });

    test('the name goes to the successor, and back if that is revoked unused', async () => {
      const sameName = () => store.tokens.insert(aToken(user, key, { name: 'ERP' }), anEvent());
      const taken = err({ code: 'token_name_taken' });
      const first = await givenSuccessor(store, old, {}, HOUR);
      expect(await sameName()).toEqual(taken);
      await revoke(first);
      expect(await sameName()).toEqual(taken);
      const second = await givenSuccessor(store, old, {}, HOUR);
      await used(second, at(0));
      expect(await sameName()).toEqual(taken);
      await revoke(second);
      expect(await tokenNow(old)).toMatchObject({ revocation: null, expiresAt: at(HOUR) });
      expect(await sameName()).toEqual(ok(undefined));
    });

    test('a demoted owner’s token is rotated; those of a disabled owner, a suspended account and another owner are not', async () => {
      const colleague = await givenUser(store, account.id);
      const refused = err({ code: 'creator_not_fit' });
      expect(await rotate(aSuccessor(old, { userId: colleague.id }), colleague)).toEqual(refused);
      await store.accounts.suspend(account.id, START, anEvent());
      expect(await rotate(aSuccessor(old), colleague)).toEqual(refused);
      await store.accounts.resume(account.id, anEvent());
      await store.users.setRole(user.id, 'member', () => anEvent());
      expect(await rotate(aSuccessor(old), colleague)).toEqual(ok(undefined));
      await store.users.disable(user.id, aRevocation(), anEvent());
      expect(await rotate(aSuccessor(old), colleague)).toEqual(notRotatable('revoked'));
    });

    test('a demoted, a disabled or a foreign admin rotates nothing', async () => {
      const colleague = await givenUser(store, account.id);
      const refused = err({ code: 'not_allowed' });
      await store.users.setRole(colleague.id, 'member', () => anEvent());
      const attempt = aSuccessor(old);
      expect(await rotate(attempt, colleague)).toEqual(refused);
      await store.users.setRole(colleague.id, 'admin', () => anEvent());
      await store.users.disable(colleague.id, aRevocation(), anEvent());
      expect(await rotate(attempt, colleague)).toEqual(refused);
      const foreign = await givenUser(store, (await givenAccount(store)).id);
      expect(await rotate(attempt, foreign)).toEqual(refused);
      // It is said before anything of the token is.
      expect(await rotate(aSuccessor({ ...old, id: aTokenId() }), foreign)).toEqual(refused);
      expect(await tokenNow(attempt)).toBeUndefined();
      expect((await store.tokens.find(old.id))?.successor).toBeNull();
      expect(await rotate(attempt)).toEqual(ok(undefined));
    });

    test('a successor with a key of another format is refused', async () => {
      const unusable = err({ code: 'key_not_usable' });
      expect(await rotate(aSuccessor(old, { format: 'jwt' }))).toEqual(unusable);
      expect(await rotate(aSuccessor(old))).toEqual(ok(undefined));
    });
  });

  describe(`${name} keeps the replacing part of the contract of UsageRecorder`, () => {
    givenTokenToRotate();

    const eventsOf = async (token: Token) =>
      (await store.audit.list({ limit: 20 }))
        .map(({ event }) => event)
        .filter(({ action, subject }) => action === 'token.replaced' && subject.id === token.id);

    test('a successor’s first use sets its predecessor’s expiry, with an event', async () => {
      const successor = await givenSuccessor(store, old, {}, HOUR);
      await used(successor, at(5));
      const replaced = { ...old, replacedAt: at(5), expiresAt: at(5 + HOUR) };
      expect(await tokenNow(old)).toMatchObject(replaced);
      expect(await eventsOf(old)).toEqual([
        {
          at: at(5),
          actor: { kind: 'token', id: successor.id },
          origin: 'usage',
          action: 'token.replaced',
          subject: { type: 'token', id: old.id },
          accountId: old.accountId,
          details: {
            name: old.name,
            successor_id: successor.id,
            expires_at: formatInstant(replaced.expiresAt),
          },
        },
      ]);
      expect(await tokenNow(successor)).toMatchObject(successor);
    });

    test('the first use counts, not a later one that is stored together with it', async () => {
      const successor = await givenSuccessor(store, old, {}, HOUR);
      store.usage.used(successor.id, at(5));
      await used(successor, at(9));
      await used(successor, at(700));
      expect(await tokenNow(old)).toMatchObject({ replacedAt: at(5), expiresAt: at(5 + HOUR) });
      expect(await eventsOf(old)).toHaveLength(1);
    });

    test('without a grace period it ends at once; its own expiry is never extended', async () => {
      const [brief, ending] = [old, await givenToken(store, user, { expiresAt: at(HOUR) })];
      await used(await givenSuccessor(store, brief), at(5));
      expect(await tokenNow(brief)).toMatchObject({ replacedAt: at(5), expiresAt: at(5) });
      await used(await givenSuccessor(store, ending, {}, HOUR), at(5));
      expect(await tokenNow(ending)).toMatchObject({ replacedAt: at(5), expiresAt: at(HOUR) });
      const lasting = await givenToken(store, user, { expiresAt: at(HOUR) });
      await used(await givenSuccessor(store, lasting, {}, HOUR - 6), at(5));
      expect(await tokenNow(lasting)).toMatchObject({ expiresAt: at(HOUR - 1) });
    });

    test('a refusal does not count as a use', async () => {
      const successor = await givenSuccessor(store, old);
      store.usage.refused(successor.id, at(5), 'insufficient_scope');
      await store.usage.flush();
      expect(await tokenNow(old)).toMatchObject(old);
      await used(successor, at(6));
      expect(await tokenNow(old)).toMatchObject({ replacedAt: at(6) });
    });

    test('an ended token is not changed, and a revoked successor replaces nothing', async () => {
      const successors: Successor[] = [];
      const ending = await givenToken(store, user, { expiresAt: at(1000) });
      const revoked = await givenToken(store, user);
      for (const token of [ending, revoked, old]) successors.push(await givenSuccessor(store, token));
      await revoke(revoked);
      for (const successor of successors.slice(2)) await revoke(successor);
      for (const { id } of successors) store.usage.used(id, at(1000));
      await store.usage.flush();
      for (const token of [ending, revoked, old]) {
        expect(await tokenNow(token)).toMatchObject({ replacedAt: null, expiresAt: token.expiresAt });
        expect(await eventsOf(token)).toEqual([]);
      }
    });

    test('many tokens are replaced at once, each by its successor, including one that is used meanwhile', async () => {
      const tokens: Token[] = [];
      while (tokens.length < 10) tokens.push(await givenToken(store, user));
      for (const token of [...tokens]) {
        const successor = await givenSuccessor(store, token, {}, HOUR);
        store.usage.used(token.id, at(1));
        store.usage.used(successor.id, at(1));
      }
      await store.usage.flush();
      for (const token of tokens) expect(await tokenNow(token)).toMatchObject({ replacedAt: at(1) });
    });
  });
}
