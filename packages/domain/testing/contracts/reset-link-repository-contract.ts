import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import type { NewResetLink } from '../../src/links/index.ts';
import { RESET_LINK_MS } from '../../src/links/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { PasswordHash, User, UserId } from '../../src/users/index.ts';
import {
  A_HASH,
  anEvent,
  aRevocation,
  givenAdmin,
  givenAdmins,
  givenSession,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import { aCodeHash, aResetLink, byMaker, givenResetLink } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const DEAD = err({ code: 'link_not_accepted' });
const END = addMilliseconds(START, RESET_LINK_MS);
const NEW_HASH = '$test$new' as PasswordHash;

export function resetLinkRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of ResetLinkRepository`, () => {
    const store = openRepositories(open);
    const insert = async (link: NewResetLink) => {
      const user = await store().users.findById(link.userId);
      return store().resetLinks.insert(link, byMaker(link.madeBy, user?.accountId ?? (1 as AccountId)));
    };
    const find = ({ codeHash }: NewResetLink, at = START) => store().resetLinks.findByCode(codeHash, at);
    const redeem = ({ codeHash }: NewResetLink, at = START) =>
      store().resetLinks.redeem(
        codeHash,
        NEW_HASH,
        { at, reason: 'reset' },
        {
          reset: ({ id }, { madeBy }) =>
            anEvent({ actor: { kind: 'user', id }, action: 'user.password_reset', details: { madeBy } }),
          proved: () => anEvent({ action: 'user.email_proved' }),
        },
      );
    const hashOf = async ({ email }: User) =>
      (await store().users.findCredentials(email))?.passwordHash ?? expect.fail();
    const givenMemberWithAdmin = async () => {
      const [admin, colleague] = await givenAdmins(store());
      return { admin, colleague, member: await givenUser(store(), admin.accountId, { role: 'member' }) };
    };
    const setRole = (user: User, role: User['role']) => store().users.setRole(user.id, role, () => anEvent());

    test('a link is found by its code’s hash until it expires, with its user', async () => {
      const { admin, member } = await givenMemberWithAdmin();
      const link = aResetLink(member, { madeBy: admin.id });
      const event = anEvent({ action: 'user.reset_link_created' });
      expect(await store().resetLinks.insert(link, event)).toEqual(ok(member));
      expect(await newestEvent(store())).toEqual(event);
      const { codeHash: _, ...shown } = link;
      const found = await find(link, addMilliseconds(END, -1));
      expect(found).toEqual({ link: shown, user: member });
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(await find(link, END)).toBeUndefined();
      expect(await store().resetLinks.findByCode(aCodeHash(), START)).toBeUndefined();
    });

    test('it sets the password once, ends sessions and sign-in tokens, and keeps API tokens', async () => {
      const { admin, member } = await givenMemberWithAdmin();
      const session = await givenSession(store(), member);
      const [signIn, api] = [
        await givenToken(store(), member, { kind: 'sign-in' }),
        await givenToken(store(), admin),
      ];
      const link = await givenResetLink(store(), member, { madeBy: admin.id });
      expect(await redeem(link)).toEqual(ok(member));
      expect(await hashOf(member)).toBe(NEW_HASH);
      expect(await store().sessions.find(session.secretHash)).toBeUndefined();
      expect((await store().tokens.findRecord(signIn.id))?.revocation).toEqual({
        at: START,
        by: { kind: 'user', id: member.id },
        reason: 'reset',
      });
      expect((await store().tokens.findRecord(api.id))?.revocation).toBeNull();
      const events = (await store().audit.list({ limit: 2 })).map(({ event }) => event);
      expect(events).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ action: 'user.password_reset', details: { madeBy: admin.id } }),
        ]),
      );
      expect(await redeem(link)).toEqual(DEAD);
    });

    test('the last reset is kept with the email of the admin who made the link', async () => {
      const { admin, member } = await givenMemberWithAdmin();
      expect(await store().resetLinks.findLastReset(member.id)).toBeUndefined();
      await redeem(await givenResetLink(store(), member, { madeBy: admin.id }));
      const last = await store().resetLinks.findLastReset(member.id);
      expect(last).toEqual({ at: START, madeBy: admin.email });
      expect(last).toSatisfy(isDeeplyFrozen);
      const later = addMilliseconds(START, 5);
      await redeem(await givenResetLink(store(), member), later);
      expect(await store().resetLinks.findLastReset(member.id)).toEqual({ at: later, madeBy: null });
    });

    test('a newer link replaces an older one', async () => {
      const { admin, member } = await givenMemberWithAdmin();
      const older = await givenResetLink(store(), member, { madeBy: admin.id });
      const newer = await givenResetLink(store(), member);
      expect(await redeem(older)).toEqual(DEAD);
      expect(await redeem(newer)).toEqual(ok(member));
    });

    test('an admin makes none for a user who is or was an admin, and the operator does', async () => {
      const { admin, colleague, member } = await givenMemberWithAdmin();
      const refused = err({ code: 'link_for_admin' });
      expect(await insert(aResetLink(colleague, { madeBy: admin.id }))).toEqual(refused);
      await setRole(colleague, 'member');
      expect(await insert(aResetLink(colleague, { madeBy: admin.id }))).toEqual(refused);
      await setRole(member, 'admin');
      await setRole(member, 'member');
      expect(await insert(aResetLink(member, { madeBy: admin.id }))).toEqual(refused);
      expect(await redeem(await givenResetLink(store(), colleague))).toMatchObject({ ok: true });
    });

    test('one of an admin does nothing once its user was promoted, not even after a demotion', async () => {
      const { admin, member } = await givenMemberWithAdmin();
      const link = await givenResetLink(store(), member, { madeBy: admin.id });
      await setRole(member, 'admin');
      expect(await redeem(link)).toEqual(DEAD);
      await setRole(member, 'member');
      expect(await redeem(link)).toEqual(DEAD);
      expect(await find(link)).toBeUndefined();
      expect(await hashOf(member)).toBe(A_HASH);
    });

    test('it ends with a change of its user or its maker', async () => {
      const ends: readonly ((parts: Awaited<ReturnType<typeof givenMemberWithAdmin>>) => Promise<unknown>)[] =
        [
          ({ member }) => setRole(member, 'admin'),
          ({ member }) => store().users.disable(member.id, aRevocation(), anEvent()),
          ({ member }) => store().users.setPassword(member.id, A_HASH, aRevocation(), anEvent()),
          ({ admin }) => setRole(admin, 'member'),
          ({ admin }) => store().users.disable(admin.id, aRevocation(), anEvent()),
        ];
      for (const end of ends) {
        const parts = await givenMemberWithAdmin();
        const link = await givenResetLink(store(), parts.member, { madeBy: parts.admin.id });
        await end(parts);
        await setRole(parts.member, 'member');
        await store().users.enable(parts.member.id, anEvent());
        await setRole(parts.admin, 'admin');
        await store().users.enable(parts.admin.id, anEvent());
        expect(await redeem(link)).toEqual(DEAD);
        expect(await hashOf(parts.member)).toBe(A_HASH);
      }
    });

    test('an expired one, and one of a suspended account, sets no password', async () => {
      const { member } = await givenMemberWithAdmin();
      const link = await givenResetLink(store(), member);
      expect(await redeem(link, END)).toEqual(DEAD);
      await store().accounts.suspend(member.accountId, START, anEvent());
      expect(await redeem(link)).toEqual(DEAD);
      expect(await find(link)).toBeUndefined();
      await store().accounts.resume(member.accountId, anEvent());
      expect((await redeem(link)).ok).toBe(true);
    });

    test('a member, an admin of another account and an admin who was demoted make none', async () => {
      const { admin, colleague, member } = await givenMemberWithAdmin();
      await setRole(colleague, 'member');
      const outsider = await givenAdmin(store());
      for (const { id } of [member, colleague, outsider])
        expect(await insert(aResetLink(member, { madeBy: id }))).toEqual(err({ code: 'not_allowed' }));
      await store().accounts.suspend(admin.accountId, START, anEvent());
      expect(await insert(aResetLink(member, { madeBy: admin.id }))).toEqual(err({ code: 'not_allowed' }));
    });

    test('a disabled user and an unknown one get none', async () => {
      const { member } = await givenMemberWithAdmin();
      await store().users.disable(member.id, aRevocation(), anEvent());
      expect(await insert(aResetLink(member))).toEqual(err({ code: 'user_disabled' }));
      expect(await insert(aResetLink({ id: 999_999_999 as UserId }))).toEqual(
        err({ code: 'user_not_found' }),
      );
    });
  });
}
