import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { DisableOptions, User, UserId } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAdmin, givenAdmins, givenToken, givenUser, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { givenServiceAccount } from '../service-account-fixtures.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

/**
 * The part of `userRepositoryContract` that disables users who answer for service accounts or whose tokens are
 * divided.
 */
export function answeringUsersContract(name: string, open: OpenRepositories): void {
  describe(`${name} disables a user whose tokens and service accounts go on`, () => {
    const store = openRepositories(open);
    const disable = ({ id }: User, options?: DisableOptions, parts: Partial<AuditEvent> = {}) =>
      store().users.disable(id, aRevocation(), anEvent({ action: 'user.disabled', ...parts }), options);
    const find = async ({ id }: User) => (await store().serviceAccounts.find(id)) ?? expect.fail();
    const ownerOf = async (token: Awaited<ReturnType<typeof givenToken>>) =>
      (await store().tokens.findRecord(token.id))?.userId;

    test('what has to be decided is found: the tokens, the service accounts, and who can have them', async () => {
      const [from, to] = await givenAdmins(store());
      const { user: erp } = await givenServiceAccount(store(), from);
      const { user: crm } = await givenServiceAccount(store(), from, { name: 'crm', role: 'admin' });
      const { user: ended } = await givenServiceAccount(store(), from);
      await store().users.disable(ended.id, aRevocation(), anEvent());
      await givenUser(store(), from.accountId, { role: 'member' });
      await givenServiceAccount(store(), await givenAdmin(store()));
      const wiki = await givenToken(store(), from, { name: 'Wiki' });
      const badge = await givenToken(store(), from, { name: 'badge' });
      await givenToken(store(), from, { expiresAt: START });
      await givenToken(store(), from, { kind: 'sign-in' });
      const ownerOf = ({ id, kind, role, name: of, email }: User) => ({ id, kind, role, name: of, email });
      const named = ({ id, name: of }: Pick<User, 'id' | 'name'>) => ({ id, name: of });
      const find = (limit: number) => store().users.findDisableFacts(from.id, { at: START, limit });
      expect(await find(9)).toEqual({
        user: from,
        liveTokens: 2,
        tokens: [badge, wiki].map(({ id, name: of }) => ({ id, name: of })),
        serviceAccounts: [crm, erp].map(named),
        owners: [to, crm, erp].map(ownerOf),
      });
      expect(await find(1)).toMatchObject({
        tokens: [{ id: badge.id }],
        serviceAccounts: [named(crm)],
        owners: [ownerOf(to)],
      });
      expect(
        await store().users.findDisableFacts(999_999 as UserId, { at: START, limit: 1 }),
      ).toBeUndefined();
      const list = async (kind: User['kind']) => {
        const query = {
          accountId: from.accountId,
          order: 'name',
          limit: 9,
          countLimit: 9,
          now: START,
        } as const;
        const { users } = await store().users.listOfAccount({ ...query, kind });
        return users.map(({ user }) => user.id);
      };
      expect(await list('service')).toEqual([crm.id, erp.id, ended.id]);
      expect(await list('person')).toHaveLength(3);
    });

    test('is refused while nothing is said about a service account, and names it', async () => {
      const [from, to] = await givenAdmins(store());
      const [one, other] = [
        await givenServiceAccount(store(), from),
        await givenServiceAccount(store(), from),
      ];
      const ended = await givenServiceAccount(store(), from);
      await store().users.disable(ended.user.id, aRevocation(), anEvent());
      await givenServiceAccount(store(), to);
      const before = await newestEvent(store());
      const named = [one, other].map(({ user: { id, name: of } }) => ({ id, name: of }));
      expect(await disable(from)).toEqual(err({ code: 'service_accounts_undecided', undecided: named }));
      const serviceAccounts = new Map([[one.user.id, 'leave']] as const);
      expect(await disable(from, { serviceAccounts })).toEqual(
        err({ code: 'service_accounts_undecided', undecided: named.slice(1) }),
      );
      expect(await newestEvent(store())).toEqual(before);
      expect(await store().users.findById(from.id)).toEqual(from);
    });

    test('each service account is disabled, given to another admin or left, with its events', async () => {
      const [from, to] = await givenAdmins(store());
      const [ends, given, left] = [
        await givenServiceAccount(store(), from, { name: 'Old' }),
        await givenServiceAccount(store(), from),
        await givenServiceAccount(store(), from),
      ];
      const token = await givenToken(store(), ends.user);
      const kept = await givenToken(store(), given.user);
      const serviceAccounts = new Map<UserId, 'disable' | 'leave' | { giveTo: UserId }>([
        [ends.user.id, 'disable'],
        [given.user.id, { giveTo: to.id }],
        [left.user.id, 'leave'],
      ]);
      const numbers = { disabled: 1, given: 1, left: 1 };
      const actor = { kind: 'user', id: to.id } as const;
      expect(await disable(from, { serviceAccounts }, { actor, accountId: from.accountId })).toMatchObject(
        ok({ serviceAccounts: numbers }),
      );
      expect((await find(ends.user)).user.disabledAt).not.toBeNull();
      expect((await store().tokens.findRecord(token.id))?.revocation).not.toBeNull();
      expect((await store().tokens.findRecord(kept.id))?.revocation).toBeNull();
      expect((await find(given.user)).responsible).toEqual(to);
      expect((await find(left.user)).responsible.id).toBe(from.id);
      const events = (await store().audit.list({ limit: 4 })).map(({ event }) => event);
      expect(events.map(({ action, subject, actor: { kind } }) => [action, subject.id, kind])).toEqual(
        expect.arrayContaining([
          ['user.disabled', String(ends.user.id), 'user'],
          ['user.service_updated', String(given.user.id), 'user'],
        ]),
      );
      expect(events.find(({ action }) => action === 'user.service_updated')?.details).toMatchObject({
        responsible: to.email,
        former_responsible: from.email,
      });
    });

    test('only another active admin can answer for them, or nothing changes', async () => {
      const [from] = await givenAdmins(store());
      const { user: service } = await givenServiceAccount(store(), from, { role: 'admin' });
      const member = await givenUser(store(), from.accountId, { role: 'member' });
      const outsider = await givenAdmin(store());
      const before = await newestEvent(store());
      for (const { id: giveTo } of [from, member, outsider, service])
        expect(await disable(from, { serviceAccounts: new Map([[service.id, { giveTo }]]) })).toEqual(
          err({ code: 'responsible_not_fit' }),
        );
      expect(await newestEvent(store())).toEqual(before);
      expect((await find(service)).responsible).toEqual(from);
    });

    test('single tokens go to the users who are chosen, and the others to one or to none', async () => {
      const [from, to] = await givenAdmins(store());
      const { user: service } = await givenServiceAccount(store(), to);
      const given = async (token: string) => givenToken(store(), from, { name: token });
      const [erp, wiki, crm] = [await given('ERP'), await given('Wiki'), await given('CRM')];
      await givenToken(store(), service, { name: 'ERP' });
      const tokens = new Map([
        [erp.id, service.id],
        [wiki.id, to.id],
      ]);
      expect(await disable(from, { tokens })).toEqual(err({ code: 'transfer_names_taken', names: ['ERP'] }));
      const renamed = [{ before: 'ERP', after: 'ERP (2)' }];
      expect(await disable(from, { tokens, renameTaken: true })).toMatchObject(
        ok({ transferred: 2, revoked: 1, renamed }),
      );
      expect(await Promise.all([erp, wiki].map(ownerOf))).toEqual([service.id, to.id]);
      expect((await store().tokens.findRecord(crm.id))?.revocation).not.toBeNull();

      const [next, heir] = await givenAdmins(store());
      const { user: program } = await givenServiceAccount(store(), heir);
      const [one, other] = [await givenToken(store(), next), await givenToken(store(), next)];
      const some = { transferTo: heir.id, tokens: new Map([[one.id, program.id]]) };
      expect(await disable(next, some)).toMatchObject(ok({ transferred: 2, revoked: 0 }));
      expect(await Promise.all([one, other].map(ownerOf))).toEqual([program.id, heir.id]);
    });

    test('a member’s tokens go to a service account that is a member, and by an admin to none with more rights', async () => {
      const admin = await givenAdmin(store());
      const from = await givenUser(store(), admin.accountId);
      const token = await givenToken(store(), from);
      await store().users.setRole(from.id, 'member', () => anEvent());
      const { user: strong } = await givenServiceAccount(store(), admin, { role: 'admin' });
      const { user: weak } = await givenServiceAccount(store(), admin);
      const parts = { actor: { kind: 'user', id: admin.id }, accountId: admin.accountId } as const;
      expect(await disable(from, { transferTo: strong.id }, parts)).toEqual(
        err({ code: 'transfer_raises_rights' }),
      );
      expect(await disable(from, { transferTo: weak.id }, parts)).toMatchObject(ok({ transferred: 1 }));
      expect(await ownerOf(token)).toBe(weak.id);
    });
  });
}
