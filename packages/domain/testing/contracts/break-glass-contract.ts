import { describe, expect, test } from 'vitest';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { PasswordHash, User } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAdmin, givenAdmins, givenSession, START, unwrap } from '../fixtures.ts';
import { A_SETTLEMENT_AUDIT, aSettlement, decideFor, givenIdentity } from '../identity-fixtures.ts';
import { givenInvitation } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { givenServiceAccount } from '../service-account-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

const NOT_FOUND = err({ code: 'user_not_found' });
const LATER = addMilliseconds(START, 1000);

export function breakGlassContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of BreakGlass`, () => {
    const store = openRepositories(open);
    const event = ({ id }: User) => anEvent({ action: 'user.armed', details: { id } });
    const mark = ({ id }: User, at = START) =>
      store().breakGlass.mark(id, at, {
        marked: () => anEvent({ action: 'user.break_glass_marked' }),
        unlinked: (_, { subject }) => anEvent({ action: 'user.unlinked', details: { subject } }),
      });
    const unmark = ({ id }: User) =>
      store().breakGlass.unmark(id, () => anEvent({ action: 'user.break_glass_unmarked' }));
    const arm = ({ id }: User, until: Instant | null) => store().breakGlass.arm(id, until, START, event);
    const actions = async (limit: number) =>
      (await store().audit.list({ limit })).map(({ event: { action } }) => action).toReversed();
    const means = ({ id }: User) => store().identities.findMeans(id);
    const concerns = async (at = START, since = START) => {
      const found = await store().breakGlass.findConcerns({ at, since, limit: 10_000 });
      expect(found).toSatisfy(isDeeplyFrozen);
      const ids = (users: readonly { readonly id: number }[]) => users.map(({ id }) => id);
      return {
        armed: found.armed.map(({ user: { id }, until }) => [id, until]),
        withoutPassword: ids(found.withoutPassword),
        otherIdentities: ids(found.otherIdentities),
        keptAdmins: ids(found.keptAdmins),
        withoutBreakGlass: ids(found.withoutBreakGlass),
      };
    };

    test('a mark unlinks the user, ends the sessions of the identities and keeps the others', async () => {
      const ada = await givenAdmin(store());
      const { session } = await givenIdentity(store(), ada);
      const { secretHash } = await givenSession(store(), ada);
      expect(await mark(ada)).toEqual(ok({ user: ada, already: false }));
      expect(await actions(2)).toEqual(['user.unlinked', 'user.break_glass_marked']);
      expect(await means(ada)).toMatchObject({ identities: [], breakGlassAt: START, emailProvedAt: START });
      expect(await store().sessions.find(session.secretHash)).toBeUndefined();
      expect(await store().sessions.find(secretHash)).toBeDefined();
      expect(await mark(ada, LATER)).toEqual(ok({ user: ada, already: true }));
      expect(await means(ada)).toMatchObject({ breakGlassAt: START });
      expect(await unmark(ada)).toEqual(ok({ user: ada, already: false }));
      expect(await unmark(ada)).toEqual(ok({ user: ada, already: true }));
      expect(await actions(1)).toEqual(['user.break_glass_unmarked']);
      expect(await means(ada)).toMatchObject({ breakGlassAt: null });
    });

    test('the facts of a settlement tell the mark', async () => {
      const ada = await givenAdmin(store());
      await mark(ada);
      const settlement = aSettlement();
      const person = { ...settlement.person, email: ada.email };
      let isBreakGlass: boolean | undefined;
      await store().identities.settle(
        { ...settlement, person },
        ({ byEmail }) => {
          isBreakGlass = byEmail?.isBreakGlass;
          return {
            outcome: 'refused',
            reason: 'user_is_break_glass',
            about: undefined,
            endsConfirmation: false,
          };
        },
        A_SETTLEMENT_AUDIT,
      );
      expect(isBreakGlass).toBe(true);
    });

    test('a password is opened until a time, and closed', async () => {
      const ada = await givenAdmin(store());
      expect(await store().breakGlass.findGate(ada)).toEqual({ providerAdminAt: null, openUntil: null });
      expect(await arm(ada, null)).toEqual(ok({ user: ada, already: true }));
      expect(await arm(ada, LATER)).toEqual(ok({ user: ada, already: false }));
      expect(await actions(1)).toEqual(['user.armed']);
      expect(await store().breakGlass.findGate(ada)).toEqual({ providerAdminAt: null, openUntil: LATER });
      expect(await arm(ada, null)).toEqual(ok({ user: ada, already: false }));
      expect(await store().breakGlass.findGate(ada)).toEqual({ providerAdminAt: null, openUntil: null });
    });

    test('the gate tells since when an admin of the account signs in with a provider', async () => {
      const ada = await givenAdmin(store());
      await givenIdentity(store(), ada);
      const found = await store().breakGlass.findGate(ada);
      expect(found).toEqual({ providerAdminAt: START, openUntil: null });
      expect(found).toSatisfy(isDeeplyFrozen);
    });

    test('an address is proved once', async () => {
      const admin = await givenAdmin(store());
      const { codeHash } = await givenInvitation(store(), admin);
      const user = { name: 'Noor', passwordHash: '$test$noor' as PasswordHash, at: START };
      const noor = unwrap(await store().invitations.accept(codeHash, user, () => []));
      expect(await means(noor)).toMatchObject({ emailProvedAt: null, hasPassword: true });
      const prove = (at: Instant) =>
        store().breakGlass.proveEmail(noor.id, at, () => anEvent({ action: 'user.email_proved' }));
      expect(await prove(START)).toEqual(ok({ user: noor, already: false }));
      expect(await actions(1)).toEqual(['user.email_proved']);
      expect(await prove(LATER)).toEqual(ok({ user: noor, already: true }));
      expect(await means(noor)).toMatchObject({ emailProvedAt: START });
    });

    test('a service account is not found', async () => {
      const { user } = await givenServiceAccount(store(), await givenAdmin(store()));
      const proved = store().breakGlass.proveEmail(user.id, START, event);
      for (const outcome of [await mark(user), await unmark(user), await arm(user, LATER), await proved])
        expect(outcome).toEqual(NOT_FOUND);
    });

    test('open passwords are a concern until they end', async () => {
      const [ada] = await givenAdmins(store());
      await arm(ada, LATER);
      expect((await concerns()).armed).toContainEqual([ada.id, LATER]);
      expect((await concerns(LATER)).armed).not.toContainEqual([ada.id, LATER]);
    });

    test('another identity of a linked user is a concern for a time, and until the user is unlinked', async () => {
      const ada = await givenAdmin(store());
      await givenIdentity(store(), ada);
      const refuse = () =>
        store().identities.settle(
          aSettlement(),
          () => ({
            outcome: 'refused',
            reason: 'user_has_other_identity',
            about: ada,
            endsConfirmation: false,
          }),
          A_SETTLEMENT_AUDIT,
        );
      await refuse();
      expect((await concerns()).otherIdentities).toContain(ada.id);
      expect((await concerns(LATER, LATER)).otherIdentities).not.toContain(ada.id);
      await store().identities.unlink({ userId: ada.id, mayLackPassword: true }, event);
      expect((await concerns()).otherIdentities).not.toContain(ada.id);
    });

    test('a refused demotion is a concern until the provider and Gatehouse agree', async () => {
      const ada = await givenAdmin(store());
      const { person } = await givenIdentity(store(), ada);
      const signIn = (role: 'admin' | 'member') =>
        store().identities.settle(aSettlement({ person }), decideFor(ada, { role }), A_SETTLEMENT_AUDIT);
      await signIn('member');
      expect((await concerns()).keptAdmins).toContain(ada.id);
      await signIn('admin');
      expect((await concerns()).keptAdmins).not.toContain(ada.id);
      await signIn('member');
      expect((await concerns()).keptAdmins).toContain(ada.id);
    });

    test('an account whose admins sign in with a provider needs an admin for emergencies with a password', async () => {
      const [ada, grace] = await givenAdmins(store());
      const { accountId } = ada;
      await givenIdentity(store(), ada);
      expect((await concerns()).withoutBreakGlass).toContain(accountId);
      await mark(grace);
      expect((await concerns()).withoutBreakGlass).not.toContain(accountId);
      expect((await concerns()).withoutPassword).not.toContain(grace.id);
      await store().users.disable(grace.id, aRevocation(), anEvent());
      expect((await concerns()).withoutBreakGlass).toContain(accountId);
    });

    test('a user for emergencies without a password is a concern', async () => {
      const { accountId } = await givenAdmin(store());
      const settlement = aSettlement({ newUsersIn: accountId });
      const email = `${settlement.person.subject}@new.example` as User['email'];
      const parts = { accountId, email, name: 'Noor', role: 'member', invitation: null } as const;
      const settled = await store().identities.settle(
        settlement,
        () => ({ outcome: 'new', ...parts, isEmailProved: true }),
        A_SETTLEMENT_AUDIT,
      );
      if (settled.outcome === 'refused') throw new Error('refused');
      await mark(settled.user);
      expect((await concerns()).withoutPassword).toContain(settled.user.id);
    });
  });
}
