import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { CLOCK_TOLERANCE_MS, type Token } from '../../src/tokens/index.ts';
import { emailKey, type User, type UserId } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAdmin, givenAdmins, givenToken, givenUser, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

/** The part of `userRepositoryContract` that transfers tokens to another admin. */
export function tokenTransferContract(name: string, open: OpenRepositories): void {
  describe(`${name} transfers the tokens of a user who is disabled`, () => {
    const store = openRepositories(open);

    const disable = (from: User, transferTo: UserId) =>
      store().users.disable(from.id, aRevocation(), anEvent({ action: 'user.disabled' }), { transferTo });

    const recordOf = async ({ id }: Token) => await store().tokens.findRecord(id);

    test('live API tokens are transferred with an event each, and the other tokens are revoked', async () => {
      const [from, to] = await givenAdmins(store());
      const erp = await givenToken(store(), from, { name: 'ERP' });
      const wiki = await givenToken(store(), from, { name: 'Wiki', expiresAt: addMilliseconds(START, 1000) });
      const expired = await givenToken(store(), from, { expiresAt: START });
      const longExpired = await givenToken(store(), from, {
        expiresAt: addMilliseconds(START, -CLOCK_TOLERANCE_MS),
      });
      const signIn = await givenToken(store(), from, { kind: 'sign-in' });
      const revoked = await givenToken(store(), from);
      await store().tokens.revoke(revoked.id, aRevocation({ reason: 'first' }), anEvent());

      const disabled = await disable(from, to.id);
      expect(disabled).toEqual(
        ok({
          user: { ...from, disabledAt: START },
          already: false,
          transferred: 2,
          renamed: [],
          revoked: 1,
          serviceAccounts: { disabled: 0, given: 0, left: 0 },
        }),
      );
      // The signed claim `sub` does not change.
      expect(await recordOf(erp)).toMatchObject({ ...erp, userId: to.id, subject: from.id });
      expect(await recordOf(wiki)).toMatchObject({ ...wiki, userId: to.id, subject: from.id });
      for (const token of [expired, signIn]) {
        expect(await recordOf(token)).toMatchObject({ ...token, revocation: aRevocation() });
      }
      expect(await recordOf(longExpired)).toMatchObject(longExpired);
      expect((await recordOf(revoked))?.revocation?.reason).toBe('first');
      const events = (await store().audit.list({ limit: 5 })).map(({ event }) => event);
      const transfers = events.filter(({ action }) => action === 'token.transferred');
      expect(transfers.map(({ subject }) => subject.id).sort()).toEqual([erp.id, wiki.id].sort());
      expect(transfers.find(({ subject }) => subject.id === erp.id)).toMatchObject({
        accountId: from.accountId,
        details: { name: 'ERP', from_user_id: from.id, to_user_id: to.id },
      });
      expect(events.map(({ action }) => action).sort()).toEqual([
        'token.revoked',
        'token.revoked',
        'token.transferred',
        'token.transferred',
        'user.disabled',
      ]);
    });

    test('only another active admin of the account can receive tokens; otherwise nothing changes', async () => {
      const [from, admin] = await givenAdmins(store());
      const token = await givenToken(store(), from);
      const disabled = await givenUser(store(), from.accountId);
      await store().users.disable(disabled.id, aRevocation(), anEvent());
      const member = await givenUser(store(), from.accountId, { role: 'member' });
      const outsider = await givenAdmin(store());
      const before = await newestEvent(store());
      for (const unfit of [from.id, disabled.id, member.id, outsider.id, 999_999_999 as UserId]) {
        expect(await disable(from, unfit)).toEqual(err({ code: 'transfer_target_not_fit' }));
      }
      expect(await newestEvent(store())).toEqual(before);
      expect(await recordOf(token)).toMatchObject(token);
      expect(await store().users.findByEmail(emailKey(from.email))).toEqual(from);
      expect(await disable(from, admin.id)).toMatchObject(ok({ transferred: 1 }));
    });

    test('an admin cannot give a member’s tokens to an admin, whose rights they would get; an operator can', async () => {
      const [from, to] = await givenAdmins(store());
      const token = await givenToken(store(), from);
      await store().users.setRole(from.id, 'member', () => anEvent());
      const disableBy = (actor: AuditEvent['actor']) => {
        const event = anEvent({ action: 'user.disabled', accountId: from.accountId, actor });
        return store().users.disable(from.id, aRevocation(), event, { transferTo: to.id });
      };
      const before = await newestEvent(store());
      for (const actor of [
        { kind: 'user', id: to.id },
        { kind: 'operator', name: 'root', for: to.id },
      ] as const)
        expect(await disableBy(actor)).toEqual(err({ code: 'transfer_raises_rights' }));
      expect(await newestEvent(store())).toEqual(before);
      expect(await recordOf(token)).toMatchObject(token);
      expect(await disableBy({ kind: 'operator', name: 'root' })).toMatchObject(ok({ transferred: 1 }));
    });

    test('a name that a live API token of the new owner has refuses the whole transfer, and the error contains it', async () => {
      const [from, to] = await givenAdmins(store());
      const give = async (user: User, names: readonly string[]) => {
        const given: Token[] = [];
        for (const name of names) given.push(await givenToken(store(), user, { name }));
        return given;
      };
      const moving = await give(from, ['ERP', 'Wiki', 'CRM', 'MES']);
      const held = await give(to, ['Wiki', 'CRM']);
      await givenToken(store(), to, { name: 'ERP', expiresAt: START });
      await givenToken(store(), to, { name: 'MES', kind: 'sign-in' });
      const before = await newestEvent(store());
      expect(await disable(from, to.id)).toEqual(
        err({ code: 'transfer_names_taken', names: ['CRM', 'Wiki'] }),
      );
      expect(await newestEvent(store())).toEqual(before);
      for (const token of moving) expect(await recordOf(token)).toMatchObject(token);
      for (const { id } of held) await store().tokens.revoke(id, aRevocation(), anEvent());
      expect(await disable(from, to.id)).toMatchObject(ok({ transferred: 4 }));
    });

    test('with `renameTaken` such a token gets a number, even while it is being rotated', async () => {
      const [from, to] = await givenAdmins(store());
      for (const name of ['ERP', 'Wiki', 'CRM']) await givenToken(store(), from, { name });
      const ended = { replacedAt: START, expiresAt: addMilliseconds(START, 1000) };
      const replaced = await givenToken(store(), from, { name: 'Scale', ...ended });
      const next = await givenToken(store(), from, { name: 'Scale' });
      for (const name of ['Wiki', 'Scale', 'Wiki (2)']) await givenToken(store(), to, { name });
      const event = anEvent({ action: 'user.disabled' });
      const options = { transferTo: to.id, renameTaken: true };
      expect(await store().users.disable(from.id, aRevocation(), event, options)).toMatchObject(
        ok({
          transferred: 5,
          renamed: [
            { before: 'Scale', after: 'Scale (2)' },
            { before: 'Wiki', after: 'Wiki (3)' },
          ],
        }),
      );
      for (const token of [replaced, next]) {
        expect(await recordOf(token)).toMatchObject({ name: 'Scale (2)', userId: to.id });
      }
      const events = (await store().audit.list({ limit: 6 })).map(({ event }) => event);
      expect(events.find(({ subject }) => subject.id === next.id)).toMatchObject({
        details: { name: 'Scale (2)', former_name: 'Scale' },
      });
      expect(events.find(({ details }) => details.name === 'CRM')?.details).not.toHaveProperty('former_name');
    });

    test('the last admin is refused first, and tokens of a disabled admin are not transferred', async () => {
      const [from, to] = await givenAdmins(store());
      await givenToken(store(), from);
      await store().users.disable(from.id, aRevocation(), anEvent());
      expect(await disable(from, to.id)).toMatchObject(ok({ already: true, transferred: 0, revoked: 0 }));
      expect(await disable(to, from.id)).toEqual(err({ code: 'last_admin' }));
    });
  });
}
