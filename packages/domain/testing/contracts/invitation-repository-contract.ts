import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { Invitation, NewInvitation } from '../../src/links/index.ts';
import { INVITATION_MS } from '../../src/links/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { Email, User } from '../../src/users/index.ts';
import { A_HASH, anEvent, aRevocation, givenAdmin, givenAdmins, START } from '../fixtures.ts';
import { aCodeHash, anInvitation, byMaker, givenInvitation } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const DEAD = err({ code: 'link_not_accepted' });
const END = addMilliseconds(START, INVITATION_MS);
const spelled = (email: string) => email as Email;

export function invitationRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of InvitationRepository`, () => {
    const store = openRepositories(open);
    const createdOf = ({ invitedBy, accountId }: NewInvitation) =>
      byMaker(invitedBy, accountId, { action: 'invitation.created' });
    const replaced = ({ id }: Invitation) => anEvent({ action: 'invitation.revoked', details: { id } });
    const insert = (invitation: NewInvitation, limit = 100) =>
      store().invitations.insert(invitation, limit, { created: createdOf(invitation), replaced });
    const accept = ({ codeHash }: NewInvitation, at = START) =>
      store().invitations.accept(
        codeHash,
        { name: 'Noor', passwordHash: A_HASH, at },
        ({ id }, { email }) => [
          anEvent({ action: 'invitation.accepted', details: { email } }),
          anEvent({ action: 'user.created', details: { id } }),
        ],
      );
    const find = ({ codeHash }: NewInvitation, at = START) => store().invitations.findByCode(codeHash, at);
    const listed = async ({ accountId }: Pick<User, 'accountId'>, at = START) =>
      (await store().invitations.list({ accountId, at, limit: 100 })).map(({ id }) => id);
    const shown = (
      { codeHash: _, ...invitation }: NewInvitation,
      { id, name: of, email }: User,
    ): Invitation => ({
      ...invitation,
      invitedBy: { id, name: of, email },
    });
    const revoke = (id: Invitation['id'], by?: User, at = START) =>
      store().invitations.revoke(
        id,
        { at, ...(by && { by: { accountId: by.accountId } }) },
        ({ accountId, email }) =>
          byMaker(by?.id ?? null, accountId, { action: 'invitation.revoked', details: { email } }),
      );

    test('a stored invitation is found by its code’s hash until it expires, without the hash', async () => {
      const admin = await givenAdmin(store());
      const invitation = anInvitation(admin, { name: 'Noor' });
      expect(await insert(invitation)).toEqual(ok(shown(invitation, admin)));
      expect(await newestEvent(store())).toEqual(createdOf(invitation));
      const found = await find(invitation, addMilliseconds(END, -1));
      expect(found).toMatchObject({ invitation: shown(invitation, admin), account: { id: admin.accountId } });
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(await find(invitation, END)).toBeUndefined();
      expect(await store().invitations.findByCode(aCodeHash(), START)).toBeUndefined();
    });

    test('open ones are listed page by page, of one account or of all', async () => {
      const [admin, other] = [await givenAdmin(store()), await givenAdmin(store())];
      const [first, second] = [await givenInvitation(store(), admin), await givenInvitation(store(), admin)];
      const foreign = await givenInvitation(store(), other, { invitedBy: null, role: 'admin' });
      await givenInvitation(store(), admin, { expiresAt: START });
      expect(await listed(admin)).toEqual([first.id, second.id]);
      const page = { at: START, limit: 1, after: first.id };
      expect(await store().invitations.list({ ...page, accountId: admin.accountId })).toEqual([
        second.stored,
      ]);
      const all = await store().invitations.list({ at: START, limit: 10_000 });
      expect(all).toEqual(expect.arrayContaining([first.stored, second.stored, foreign.stored]));
      expect(foreign.stored.invitedBy).toBeNull();
      expect(all).toSatisfy(isDeeplyFrozen);
    });

    test('a newer one for the address replaces an older one, however the address is spelled', async () => {
      const [admin, colleague] = await givenAdmins(store());
      const older = await givenInvitation(store(), admin, { email: spelled('Noor@Acme.Example') });
      const newer = anInvitation(colleague, { email: spelled('noor@acme.example') });
      expect((await insert(newer, 1)).ok).toBe(true);
      expect(await listed(admin)).toEqual([newer.id]);
      expect(await accept(older)).toEqual(DEAD);
      const events = (await store().audit.list({ limit: 2 })).map(({ event }) => event);
      expect(events).toEqual([createdOf(newer), replaced(older.stored)]);
    });

    test('an admin neither replaces nor revokes an invitation of the operator, who does both', async () => {
      const admin = await givenAdmin(store());
      const email = spelled('ops@acme.example');
      const first = await givenInvitation(store(), admin, { email, invitedBy: null, role: 'admin' });
      const refused = err({ code: 'invitation_of_operator' });
      expect(await insert(anInvitation(admin, { email }))).toEqual(refused);
      expect(await revoke(first.id, admin)).toEqual(refused);
      const second = await givenInvitation(store(), admin, { email, invitedBy: null });
      expect(await revoke(second.id)).toEqual(ok(second.stored));
      expect(await listed(admin)).toEqual([]);
    });

    test('an account has no more open ones than the limit, and expired ones do not count', async () => {
      const admin = await givenAdmin(store());
      await givenInvitation(store(), admin, { expiresAt: addMilliseconds(START, 1) });
      const refused = anInvitation(admin);
      expect(await insert(refused, 1)).toEqual(err({ code: 'too_many_invitations' }));
      expect(await find(refused)).toBeUndefined();
      expect((await insert({ ...refused, createdAt: addMilliseconds(START, 1) }, 1)).ok).toBe(true);
    });

    test('an address of the own account is refused, and one of another account makes no difference', async () => {
      const [admin, other] = [await givenAdmin(store()), await givenAdmin(store())];
      expect(await insert(anInvitation(admin, { email: spelled(admin.email.toUpperCase()) }))).toEqual(
        err({ code: 'email_taken' }),
      );
      const invitation = anInvitation(admin, { email: other.email });
      expect(await insert(invitation)).toEqual(ok(shown(invitation, admin)));
      expect(await accept(invitation)).toEqual(DEAD);
      expect(await store().users.findById(other.id)).toEqual(other);
    });

    test('only an active admin of the account invites and revokes', async () => {
      const [admin, demoted] = await givenAdmins(store());
      const { id, stored } = await givenInvitation(store(), admin);
      await store().users.setRole(demoted.id, 'member', () => anEvent());
      const denied = err({ code: 'not_allowed' });
      expect(await insert(anInvitation(demoted))).toEqual(denied);
      expect(await revoke(id, demoted)).toEqual(denied);
      const outsider = await givenAdmin(store());
      expect(await insert(anInvitation(outsider, { accountId: admin.accountId }))).toEqual(denied);
      expect(await revoke(id, outsider)).toEqual(err({ code: 'invitation_not_found' }));
      await store().accounts.suspend(admin.accountId, START, anEvent());
      expect(await insert(anInvitation(admin))).toEqual(denied);
      await store().accounts.resume(admin.accountId, anEvent());
      expect(await revoke(id, admin)).toEqual(ok(stored));
      expect(await insert(anInvitation(admin, { accountId: 999_999_999 as never, invitedBy: null }))).toEqual(
        err({ code: 'account_not_found' }),
      );
    });

    test('an accepted one creates the user once, with its events', async () => {
      const admin = await givenAdmin(store());
      const invitation = await givenInvitation(store(), admin, { name: 'N.' });
      const user = await accept(invitation);
      expect(user).toMatchObject({
        value: { accountId: admin.accountId, email: invitation.email, name: 'Noor', role: 'member' },
      });
      const { email } = invitation;
      expect(await store().users.findCredentials(email)).toMatchObject({
        user: user.ok && user.value,
        passwordHash: A_HASH,
        passwordForm: 'normal',
      });
      const actions = (await store().audit.list({ limit: 2 })).map(({ event }) => event);
      expect(actions).toMatchObject([
        { action: 'user.created', details: { id: user.ok && user.value.id } },
        { action: 'invitation.accepted', details: { email } },
      ]);
      expect(await accept(invitation)).toEqual(DEAD);
      expect(await listed(admin)).toEqual([]);
    });

    test('an expired or revoked one, and one of a suspended account, creates no user', async () => {
      const admin = await givenAdmin(store());
      const [revoked, expired] = [
        await givenInvitation(store(), admin),
        await givenInvitation(store(), admin),
      ];
      await revoke(revoked.id, admin);
      expect((await newestEvent(store()))?.details).toEqual({ email: revoked.email });
      expect(await revoke(revoked.id, admin)).toEqual(err({ code: 'invitation_not_found' }));
      expect(await accept(revoked)).toEqual(DEAD);
      expect(await accept(expired, END)).toEqual(DEAD);
      expect(await revoke(expired.id, admin, END)).toEqual(err({ code: 'invitation_not_found' }));
      await store().accounts.suspend(admin.accountId, START, anEvent());
      expect(await accept(expired)).toEqual(DEAD);
      expect(await find(expired)).toBeUndefined();
      await store().accounts.resume(admin.accountId, anEvent());
      expect((await accept(expired)).ok).toBe(true);
    });

    test('those of an admin who is demoted or disabled end, each with an event, and others stay', async () => {
      for (const end of [
        (id: User['id'], event: AuditEvent) => store().users.setRole(id, 'member', () => event),
        (id: User['id'], event: AuditEvent) => store().users.disable(id, aRevocation(), event),
      ]) {
        const [admin, colleague] = await givenAdmins(store());
        const [gone, stays] = [
          await givenInvitation(store(), admin),
          await givenInvitation(store(), colleague),
        ];
        await end(admin.id, anEvent({ origin: 'ended' }));
        expect(await listed(admin)).toEqual([stays.id]);
        expect(await accept(gone)).toEqual(DEAD);
        const events = (await store().audit.list({ limit: 2 })).map(({ event }) => event);
        expect(events).toEqual(
          expect.arrayContaining([
            expect.objectContaining({
              action: 'invitation.revoked',
              origin: 'ended',
              subject: { type: 'invitation', id: gone.id },
            }),
          ]),
        );
      }
    });

    test('an invitation of the operator can make an admin', async () => {
      const admin = await givenAdmin(store());
      const invitation = await givenInvitation(store(), admin, { invitedBy: null, role: 'admin' });
      expect(await accept(invitation)).toMatchObject({ value: { role: 'admin' } });
    });
  });
}
