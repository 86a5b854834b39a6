import { describe, expect, test } from 'vitest';
import { err } from '../../src/index.ts';
import { RESET_LINK_MS } from '../../src/links/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { User } from '../../src/users/index.ts';
import { A_HASH, anEvent, aRevocation, givenAdmin, givenAdmins, givenUser, START } from '../fixtures.ts';
import { aCodeHash, aResetLink, givenInvitation, givenResetLink } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const LATER = addMilliseconds(START, 1000);
const MINUTE = 60_000;
const DEAD = err({ code: 'link_not_accepted' });

/** The part of the contracts of both repositories of links that is about mailed links. */
export function mailedLinksContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of mailed links`, () => {
    const store = openRepositories(open);
    const accept = (codeHash: ReturnType<typeof aCodeHash>) =>
      store().invitations.accept(codeHash, { name: 'Noor', passwordHash: A_HASH, at: START }, () => []);
    const redeem = (codeHash: ReturnType<typeof aCodeHash>, at = START) =>
      store().resetLinks.redeem(
        codeHash,
        A_HASH,
        { at, reason: 'reset' },
        {
          reset: () => anEvent({ action: 'user.password_reset' }),
          proved: () => anEvent({ action: 'user.email_proved' }),
        },
      );
    const provedAt = async ({ id }: User) => (await store().identities.findMeans(id))?.emailProvedAt;
    const givenMember = async (accountId?: User['accountId']) =>
      givenUser(store(), accountId ?? (await givenAdmin(store())).accountId, { role: 'member' });
    const request = (email: string, { at = START, codeHash = aCodeHash() } = {}) =>
      store().resetLinks.request({ email, at, pauseMs: MINUTE }, (user) => ({
        link: aResetLink(user, {
          codeHash,
          isMailed: true,
          isRequested: true,
          createdAt: at,
          expiresAt: addMilliseconds(at, RESET_LINK_MS),
        }),
        event: anEvent({ action: 'user.reset_requested', details: { of: user.id } }),
      }));

    test('a mailed invitation gets another code, and the one before is dead', async () => {
      const admin = await givenAdmin(store());
      const { id, codeHash, stored } = await givenInvitation(store(), admin, { isMailed: true });
      expect(stored.isMailed).toBe(true);
      const next = aCodeHash();
      const renewed = await store().invitations.renewCode(id, next, LATER);
      expect(renewed).toMatchObject({ invitation: stored, account: { id: admin.accountId } });
      expect(renewed).toSatisfy(isDeeplyFrozen);
      expect(await accept(codeHash)).toEqual(DEAD);
      const user = await accept(next);
      expect(user.ok && (await provedAt(user.value))).toBe(START);
    });

    test('an invitation that is shown keeps its code, and proves no address', async () => {
      const admin = await givenAdmin(store());
      const { id, codeHash } = await givenInvitation(store(), admin);
      expect(await store().invitations.renewCode(id, aCodeHash(), LATER)).toBeUndefined();
      const user = await accept(codeHash);
      expect(user.ok && (await provedAt(user.value))).toBeNull();
    });

    test('an invitation that is dead gets no other code', async () => {
      const admin = await givenAdmin(store());
      const expired = await givenInvitation(store(), admin, { isMailed: true, expiresAt: LATER });
      expect(await store().invitations.renewCode(expired.id, aCodeHash(), LATER)).toBeUndefined();
      const open = await givenInvitation(store(), admin, { isMailed: true });
      await store().accounts.suspend(admin.accountId, START, anEvent());
      expect(await store().invitations.renewCode(open.id, aCodeHash(), START)).toBeUndefined();
    });

    test('a mailed reset link gets another code, and its use proves the address once', async () => {
      const member = await givenMember();
      await store().breakGlass.proveEmail(member.id, START, () => anEvent());
      const admin = await givenAdmin(store());
      const { codeHash } = await givenInvitation(store(), admin);
      const noor = await accept(codeHash);
      if (!noor.ok) throw new Error('not accepted');
      for (const [user, proved, at] of [
        [member, 'user.password_reset', START],
        [noor.value, 'user.email_proved', LATER],
      ] as const) {
        const link = await givenResetLink(store(), user, { isMailed: true });
        const next = aCodeHash();
        const renewed = await store().resetLinks.renewCode(link, next, START);
        expect(renewed).toMatchObject({ user, link: { id: link.id, isMailed: true } });
        expect(renewed).toSatisfy(isDeeplyFrozen);
        expect(await redeem(link.codeHash)).toEqual(DEAD);
        expect((await redeem(next, LATER)).ok).toBe(true);
        expect((await newestEvent(store()))?.action).toBe(proved);
        expect(await provedAt(user)).toBe(at);
      }
    });

    test('a reset link that is shown keeps its code, and proves no address', async () => {
      const admin = await givenAdmin(store());
      const { codeHash } = await givenInvitation(store(), admin);
      const noor = await accept(codeHash);
      if (!noor.ok) throw new Error('not accepted');
      // The link that is shown replaces a mailed one.
      await givenResetLink(store(), noor.value, { isMailed: true });
      const link = await givenResetLink(store(), noor.value);
      expect(await store().resetLinks.renewCode(link, aCodeHash(), START)).toBeUndefined();
      expect((await redeem(link.codeHash)).ok).toBe(true);
      expect(await provedAt(noor.value)).toBeNull();
    });

    test('a mailed reset link that a newer one replaced gets no other code, and the newer one keeps its own', async () => {
      const member = await givenMember();
      const older = await givenResetLink(store(), member, { isMailed: true });
      const newer = await givenResetLink(store(), member, { isMailed: true, createdAt: LATER });
      expect(await store().resetLinks.renewCode(older, aCodeHash(), LATER)).toBeUndefined();
      expect(await store().resetLinks.findByCode(newer.codeHash, LATER)).toBeDefined();
      expect(await store().resetLinks.renewCode(newer, aCodeHash(), LATER)).toBeDefined();
    });

    test('someone who asks for a link gets one by mail, which says so', async () => {
      const member = await givenMember();
      const codeHash = aCodeHash();
      await request(member.email.toUpperCase(), { codeHash });
      expect((await newestEvent(store()))?.details).toEqual({ of: member.id });
      const found = await store().resetLinks.findByCode(codeHash, START);
      expect(found).toMatchObject({
        user: member,
        link: { isMailed: true, isRequested: true, madeBy: null },
      });
      expect((await redeem(codeHash)).ok).toBe(true);
      expect(await store().resetLinks.findLastReset(member.id)).toEqual({ at: START, madeBy: member.email });
    });

    test('a request within the pause changes nothing, and a later one replaces the code', async () => {
      const member = await givenMember();
      const [first, second, third] = [aCodeHash(), aCodeHash(), aCodeHash()];
      await request(member.email, { codeHash: first });
      const soon = addMilliseconds(START, MINUTE - 1);
      await request(member.email, { codeHash: second, at: soon });
      expect(await store().resetLinks.findByCode(second, soon)).toBeUndefined();
      expect(await store().resetLinks.findByCode(first, soon)).toBeDefined();
      const at = addMilliseconds(START, MINUTE);
      await request(member.email, { codeHash: third, at });
      expect(await store().resetLinks.findByCode(third, at)).toBeDefined();
      expect(await store().resetLinks.findByCode(first, at)).toBeUndefined();
    });

    test('another spelling of the address is within the pause as well', async () => {
      const { accountId } = await givenAdmin(store());
      const email = `r\u00e9mi.${accountId}@acme.example` as User['email'];
      await givenUser(store(), accountId, { role: 'member', email });
      const first = aCodeHash();
      await request(email, { codeHash: first });
      const others = [email.toUpperCase(), email.normalize('NFKD'), email.replace('\u00e9', 'e\u0000\u0301')];
      for (const other of others) await request(other);
      expect(await store().resetLinks.findByCode(first, START)).toBeDefined();
    });

    test('no one gets a link by asking who could not get one from an admin, or has no password', async () => {
      const [admin, once] = await givenAdmins(store());
      await store().users.setRole(once.id, 'member', () => anEvent());
      const { accountId } = admin;
      const disabled = await givenMember(accountId);
      await store().users.disable(disabled.id, aRevocation(), anEvent());
      const suspended = await givenMember();
      await store().accounts.suspend(suspended.accountId, START, anEvent());
      const before = await newestEvent(store());
      for (const { email } of [admin, once, disabled, suspended, { email: 'unknown@acme.example' }]) {
        const codeHash = aCodeHash();
        await request(email, { codeHash });
        expect(await store().resetLinks.findByCode(codeHash, START)).toBeUndefined();
      }
      expect(await newestEvent(store())).toEqual(before);
    });

    test('a user who becomes an admin can no longer use the link, and gets no other code', async () => {
      const { accountId } = await givenAdmin(store());
      const member = await givenMember(accountId);
      const codeHash = aCodeHash();
      await request(member.email, { codeHash });
      await store().users.setRole(member.id, 'admin', () => anEvent());
      expect(await store().resetLinks.findByCode(codeHash, START)).toBeUndefined();
      expect(
        await store().resetLinks.renewCode({ userId: member.id, createdAt: START }, aCodeHash(), START),
      ).toBeUndefined();
    });

    test('asking does not end a link that was handed over', async () => {
      const member = await givenMember();
      const shown = await givenResetLink(store(), member);
      const before = await newestEvent(store());
      await request(member.email);
      expect(await newestEvent(store())).toEqual(before);
      expect(await store().resetLinks.findByCode(shown.codeHash, START)).toBeDefined();
    });

    test('requests are forgotten up to a limit', async () => {
      const forget = (before: typeof START, limit = 1000) =>
        store().resetLinks.forgetRequests({ before, limit });
      while ((await forget(addMilliseconds(START, 10 * MINUTE))) === 1000);
      for (const email of ['x@acme.example', 'y@acme.example']) await request(email);
      expect(await forget(START)).toBe(0);
      expect([await forget(LATER, 1), await forget(LATER), await forget(LATER)]).toEqual([1, 1, 0]);
    });
  });
}
