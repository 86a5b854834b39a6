import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aSuccessor,
  aToken,
  givenActiveKey,
  givenAdmin,
  givenAdmins,
  givenToken,
  givenUser,
  START,
  unwrap,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { givenServiceAccount } from '../service-account-fixtures.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

/** The part of `tokenRepositoryContract` about the tokens of service accounts. */
export function tokenGivingContract(name: string, open: OpenRepositories): void {
  describe(`${name} makes and gives the tokens of service accounts`, () => {
    const store = openRepositories(open);
    const by = ({ id, accountId }: User, parts: Partial<AuditEvent> = {}) =>
      anEvent({ ...parts, actor: { kind: 'user', id }, accountId });
    const give = ({ id }: Token, to: User, event = anEvent({ action: 'token.transferred' })) =>
      store().tokens.give(id, to.id, START, () => event);

    async function givenScene() {
      const [admin, other] = await givenAdmins(store());
      const { user: service } = await givenServiceAccount(store(), other);
      return { admin, other, service, token: await givenToken(store(), admin, { name: 'ERP' }) };
    }

    test('a token gets another owner, and keeps all else', async () => {
      const { admin, service, token } = await givenScene();
      const given = unwrap(await give(token, service, by(admin, { action: 'token.transferred' })));
      expect(given.before).toMatchObject({ id: token.id, user: admin });
      expect(given.after).toMatchObject({ ...token, userId: service.id, subject: admin.id, user: service });
      expect(await store().tokens.findRecord(token.id)).toMatchObject({ ...token, userId: service.id });
      expect(await newestEvent(store())).toMatchObject({ action: 'token.transferred' });
      expect(await give(token, admin)).toMatchObject({ ok: true });
    });

    test('only an active admin or service account of the account can receive it', async () => {
      const { admin, token, service } = await givenScene();
      const member = await givenUser(store(), admin.accountId, { role: 'member' });
      const foreign = await givenServiceAccount(store(), await givenAdmin(store()));
      await store().users.disable(service.id, aRevocation(), anEvent());
      const before = await newestEvent(store());
      for (const unfit of [admin, member, foreign.user, service])
        expect(await give(token, unfit)).toEqual(err({ code: 'transfer_target_not_fit' }));
      expect(await newestEvent(store())).toEqual(before);
      expect((await store().tokens.findRecord(token.id))?.userId).toBe(admin.id);
    });

    test('only an active admin gives it, and no admin raises its rights', async () => {
      const { admin, other, service, token } = await givenScene();
      await store().users.setRole(admin.id, 'member', () => anEvent());
      const strong = await givenServiceAccount(store(), other, { role: 'admin' });
      const raises = err({ code: 'transfer_raises_rights' });
      expect(await give(token, service, by(admin))).toEqual(err({ code: 'not_allowed' }));
      expect(await give(token, other, by(other))).toEqual(raises);
      expect(await give(token, strong.user, by(other))).toEqual(raises);
      expect(await give(token, service, by(other))).toMatchObject({ ok: true });
      // It has a member's rights there, too.
      expect(await give(token, strong.user, by(other))).toEqual(raises);
      expect(await give(token, strong.user)).toMatchObject({ ok: true });
    });

    test('a token that ended or is being rotated, a sign-in token, and a taken name are refused', async () => {
      const { admin, service, token } = await givenScene();
      const refused = async (which: Token) => {
        const outcome = await give(which, service);
        return outcome.ok || outcome.error;
      };
      const code = 'token_not_updatable';
      const expired = await givenToken(store(), admin, { expiresAt: START });
      expect(await refused(expired)).toMatchObject({ code, reason: 'expired' });
      const signIn = await givenToken(store(), admin, { kind: 'sign-in' });
      expect(await refused(signIn)).toMatchObject({ code, reason: 'sign_in' });
      const old = await givenToken(store(), admin);
      const successor = aSuccessor(old);
      unwrap(await store().tokens.rotate(successor, { by: admin.id }, [anEvent()]));
      expect(await refused(old)).toMatchObject({ code, reason: 'being_replaced' });
      expect(await refused(successor)).toMatchObject({ code, reason: 'replaces_another' });
      expect(await refused(aToken(admin, await givenActiveKey(store())))).toEqual({
        code: 'token_not_found',
      });
      await givenToken(store(), service, { name: 'ERP' });
      expect(await refused(token)).toEqual({ code: 'token_name_taken' });
      const later = addMilliseconds(START, 1);
      await givenToken(store(), service, { name: 'Wiki', expiresAt: later });
      const wiki = await givenToken(store(), admin, { name: 'Wiki' });
      expect(await refused(wiki)).toEqual({ code: 'token_name_taken' });
      expect(await store().tokens.give(wiki.id, service.id, later, () => anEvent())).toMatchObject({
        ok: true,
      });
    });

    test('an admin makes one for a service account with any role, by the rules for service accounts', async () => {
      const { admin, other, service } = await givenScene();
      const key = await givenActiveKey(store());
      const insert = (event: AuditEvent, owner = service) => store().tokens.insert(aToken(owner, key), event);
      expect(await insert(by(admin))).toEqual(ok(undefined));
      expect(await newestEvent(store())).toMatchObject({ actor: { kind: 'user', id: admin.id } });
      await store().users.setRole(admin.id, 'member', () => anEvent());
      expect(await insert(by(admin))).toEqual(err({ code: 'not_allowed' }));
      const { accountId } = service;
      const lifetimes = { mustExpire: true, maxLifetimeMs: 1000, defaultLifetimeMs: 1000 };
      const limit = { ...lifetimes, scopes: null, mustHaveNetworks: false, confirmWithinMs: null };
      await store().tokenPolicies.set(
        accountId,
        ({ person }) => ok({ person, service: limit }),
        () => anEvent(),
      );
      const tooLong = { code: 'lifetime_not_allowed', holder: 'service', maxLifetimeMs: 1000 } as const;
      expect(await insert(by(other))).toEqual(err(tooLong));
      expect(await insert(by(other), other)).toEqual(ok(undefined));
      const [long] = await store().tokenPolicies.listTooLong(accountId, { at: START, limit: 9 });
      expect(long).toMatchObject({ token: { userId: service.id }, expiresAt: addMilliseconds(START, 1000) });
      await store().users.disable(service.id, aRevocation(), anEvent());
      const ended = aToken(service, key, { expiresAt: addMilliseconds(START, 1000) });
      expect(await store().tokens.insert(ended, by(other))).toEqual(err({ code: 'creator_not_fit' }));
    });
  });
}
