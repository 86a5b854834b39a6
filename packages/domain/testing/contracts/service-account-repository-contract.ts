import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import {
  emailKey,
  type ServiceAccount,
  serviceEmail,
  type User,
  type UserId,
} from '../../src/users/index.ts';
import {
  A_HASH,
  anEvent,
  aRevocation,
  givenAdmin,
  givenAdmins,
  givenUser,
  START,
  unwrap,
} from '../fixtures.ts';
import { aResetLink } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { aServiceAccount, givenServiceAccount } from '../service-account-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const NOT_FIT = err({ code: 'responsible_not_fit' });
const NOT_ALLOWED = err({ code: 'not_allowed' });

export function serviceAccountRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of ServiceAccountRepository`, () => {
    const store = openRepositories(open);
    const find = (id: UserId) => store().serviceAccounts.find(id);
    const idsOf = (found: readonly ServiceAccount[]) => found.map(({ user }) => user.id);
    const by = ({ id, accountId }: User, parts: Partial<AuditEvent> = {}) =>
      anEvent({ ...parts, actor: { kind: 'user', id }, accountId });

    /** Users of the account who cannot answer, and an admin of another account. */
    async function unfit({ accountId }: User): Promise<readonly User[]> {
      const member = await givenUser(store(), accountId, { role: 'member' });
      const disabled = await givenUser(store(), accountId);
      await store().users.disable(disabled.id, aRevocation(), anEvent());
      const admin = await givenUser(store(), accountId);
      const { user: service } = await givenServiceAccount(store(), admin, { role: 'admin' });
      return [member, disabled, service, await givenAdmin(store())];
    }

    test('a stored one is a user without an address and a password, with who made it', async () => {
      const admin = await givenAdmin(store());
      const inserting = aServiceAccount(admin, { description: 'posts orders', role: 'admin' });
      const told: ServiceAccount[] = [];
      const inserted = unwrap(
        await store().serviceAccounts.insert(inserting, (created) => {
          told.push(created);
          return by(admin, { action: 'user.created' });
        }),
      );
      const { id } = inserted.user;
      const user = { id, kind: 'service', email: serviceEmail(id), name: 'ERP', role: 'admin' };
      expect(inserted).toMatchObject({
        user: { ...user, accountId: admin.accountId, createdAt: START, disabledAt: null },
        description: 'posts orders',
        responsible: admin,
        createdBy: { id: admin.id, name: admin.name, email: admin.email },
      });
      expect(told).toEqual([inserted]);
      expect(await newestEvent(store())).toMatchObject({ action: 'user.created' });
      expect(await find(id)).toEqual(inserted);
      expect(await find(id)).toSatisfy(isDeeplyFrozen);
      expect(await find(admin.id)).toBeUndefined();
      expect(await store().users.findById(id)).toEqual(inserted.user);
      expect(await store().users.findByEmail(emailKey(inserted.user.email))).toEqual(inserted.user);
      expect(await store().users.findCredentials(emailKey(inserted.user.email))).toBeUndefined();
    });

    test('who made it is kept as it was; an operator is named without an address', async () => {
      const [admin, other] = await givenAdmins(store());
      const { user } = await givenServiceAccount(store(), other, { madeBy: { kind: 'user', id: admin.id } });
      await store().users.rename(admin.id, 'Ada Byron', () => anEvent());
      expect((await find(user.id))?.createdBy).toEqual({ id: admin.id, name: 'Ada', email: admin.email });
      const root = { kind: 'operator', name: 'root' } as const;
      const made = await givenServiceAccount(store(), admin, { madeBy: root });
      expect(made.createdBy).toEqual({ id: null, name: 'root', email: null });
      const acting = await givenServiceAccount(store(), admin, { madeBy: { ...root, for: other.id } });
      expect(acting.createdBy).toMatchObject({ id: other.id, email: other.email });
    });

    test('only an active admin of the account answers for one, and only such an admin makes it', async () => {
      const admin = await givenAdmin(store());
      const { user } = await givenServiceAccount(store(), admin);
      const others = await unfit(admin);
      const before = await newestEvent(store());
      const { serviceAccounts } = store();
      const insert = (parts: Parameters<typeof aServiceAccount>[1]) =>
        serviceAccounts.insert(aServiceAccount(admin, parts), () => anEvent());
      for (const { id } of others) {
        expect(await insert({ responsibleId: id })).toEqual(NOT_FIT);
        expect(await serviceAccounts.update(user.id, { responsibleId: id }, () => by(admin))).toEqual(
          NOT_FIT,
        );
        expect(await insert({ madeBy: { kind: 'user', id } })).toEqual(NOT_ALLOWED);
        const acting = { ...admin, id };
        expect(await serviceAccounts.update(user.id, { name: 'CRM' }, () => by(acting))).toEqual(NOT_ALLOWED);
      }
      const accountId = 999_999_999 as User['accountId'];
      expect(await insert({ accountId })).toEqual(err({ code: 'account_not_found' }));
      expect(await newestEvent(store())).toEqual(before);
      expect((await find(user.id))?.user.name).toBe('ERP');
    });

    test('the name, the description and the person change with one event, and no change has none', async () => {
      const [admin, other] = await givenAdmins(store());
      const before = await givenServiceAccount(store(), admin);
      const { id } = before.user;
      const { update } = store().serviceAccounts;
      const changes = { name: 'CRM', description: 'reads customers', responsibleId: other.id };
      const after = {
        ...before,
        user: { ...before.user, name: 'CRM' },
        description: 'reads customers',
        responsible: other,
      };
      const told: unknown[] = [];
      const changed = await update(id, changes, (from, to) => {
        told.push([from, to]);
        return by(admin, { action: 'user.service_updated' });
      });
      expect(changed).toEqual(ok({ before, after }));
      expect(told.at(-1)).toEqual([before, after]);
      expect(await find(id)).toEqual(after);
      const newest = await newestEvent(store());
      expect(newest).toMatchObject({ action: 'user.service_updated' });
      expect(await update(id, changes, () => by(admin))).toEqual(ok({ before: after, after }));
      expect(await newestEvent(store())).toEqual(newest);
      expect(await update(id, { description: null }, () => by(admin))).toMatchObject(
        ok({ after: { description: null } }),
      );
      expect(await update(admin.id, { name: 'x' }, () => by(admin))).toEqual(
        err({ code: 'service_account_not_found' }),
      );
    });

    test('they are listed page by page: of an account, of a person, and those without a responsible admin', async () => {
      const [admin, other] = await givenAdmins(store());
      await givenUser(store(), admin.accountId);
      const first = await givenServiceAccount(store(), admin);
      const second = await givenServiceAccount(store(), other);
      const ended = await givenServiceAccount(store(), other);
      await store().users.disable(ended.user.id, aRevocation(), anEvent());
      const third = await givenServiceAccount(store(), admin);
      const { list } = store().serviceAccounts;
      const { accountId } = admin;
      expect(await list({ accountId, limit: 2 })).toEqual([first, second]);
      expect(idsOf(await list({ accountId, limit: 9, after: second.user.id }))).toEqual([
        ended.user.id,
        third.user.id,
      ]);
      expect(await list({ accountId, responsibleId: admin.id, limit: 9 })).toEqual([first, third]);
      expect(idsOf(await list({ accountId, isDisabled: true, limit: 9 }))).toEqual([ended.user.id]);
      const unanswered = async () => idsOf(await list({ accountId, isUnanswered: true, limit: 9 }));
      expect(await unanswered()).toEqual([]);
      await store().users.setRole(other.id, 'member', () => anEvent());
      expect(await unanswered()).toEqual([second.user.id]);
      await store().users.setRole(other.id, 'admin', () => anEvent());
      const leave = { serviceAccounts: 'leave' } as const;
      await store().users.disable(other.id, aRevocation(), anEvent(), leave);
      expect(await unanswered()).toEqual([second.user.id]);
      const all = await list({ limit: 10_000 });
      expect(idsOf(all)).toEqual(expect.arrayContaining([first.user.id, third.user.id]));
      expect(all).toSatisfy(isDeeplyFrozen);
    });

    test('one with the role admin is neither the last admin of the account nor listed as one', async () => {
      const admin = await givenAdmin(store());
      const { user } = await givenServiceAccount(store(), admin, { role: 'admin' });
      const { users } = store();
      const last = err({ code: 'last_admin' });
      expect(await users.disable(admin.id, aRevocation(), anEvent(), { serviceAccounts: 'leave' })).toEqual(
        last,
      );
      expect(await users.setRole(admin.id, 'member', () => anEvent())).toEqual(last);
      expect(await users.listAdmins(admin.accountId, 9)).toEqual([admin]);
      expect(await users.setRole(user.id, 'member', () => anEvent())).toMatchObject({ ok: true });
      expect(await users.setRole(user.id, 'admin', () => anEvent())).toMatchObject({ ok: true });
      expect(await users.disable(user.id, aRevocation(), anEvent())).toMatchObject({ ok: true });
      expect(await users.enable(user.id, anEvent())).toMatchObject({ ok: true });
    });

    test('it gets neither a password nor a reset link', async () => {
      const admin = await givenAdmin(store());
      const { user } = await givenServiceAccount(store(), admin);
      const before = await newestEvent(store());
      const refused = err({ code: 'user_not_found' });
      const { users, resetLinks } = store();
      expect(await users.setPassword(user.id, A_HASH, aRevocation(), anEvent())).toEqual(refused);
      expect(await resetLinks.insert(aResetLink(user, { madeBy: null }), anEvent())).toEqual(refused);
      expect(await newestEvent(store())).toEqual(before);
      expect(await users.findCredentials(emailKey(user.email))).toBeUndefined();
    });
  });
}
