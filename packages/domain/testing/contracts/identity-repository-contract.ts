import { describe, expect, test } from 'vitest';
import type { Decision, PersonFacts, Settlement } from '../../src/identity-providers/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { Email, PasswordHash, User } from '../../src/users/index.ts';
import {
  anEvent,
  aSecretHash,
  givenAdmin,
  givenAdmins,
  givenSession,
  givenUser,
  START,
  unwrap,
} from '../fixtures.ts';
import { A_SETTLEMENT_AUDIT, aSettlement, decideFor, givenIdentity } from '../identity-fixtures.ts';
import { givenInvitation } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

const LATER = addMilliseconds(START, 1000);
const CHOSEN = '$test$chosen' as PasswordHash;
const REFUSED: Decision = {
  outcome: 'refused',
  reason: 'identity_not_linked',
  about: undefined,
  endsConfirmation: false,
};

export function identityRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of IdentityRepository`, () => {
    const store = openRepositories(open);
    const settle = (settlement: Settlement, decide: (facts: PersonFacts) => Decision) =>
      store().identities.settle(settlement, decide, A_SETTLEMENT_AUDIT);
    const factsFor = async (settlement: Settlement): Promise<PersonFacts> => {
      let seen: PersonFacts | undefined;
      await settle(settlement, (facts) => {
        seen = facts;
        return REFUSED;
      });
      if (!seen) throw new Error('nothing was decided');
      return seen;
    };
    const actions = async (limit: number) =>
      (await store().audit.list({ limit })).map(({ event }) => event.action).toReversed();
    const means = (user: User) => store().identities.findMeans(user.id);
    const sessionOf = ({ session }: Settlement) => store().sessions.find(session.secretHash);
    const unlink = (user: User, parts: { issuer?: string; mayLackPassword?: boolean } = {}) =>
      store().identities.unlink({ userId: user.id, mayLackPassword: false, ...parts }, (_, { subject }) =>
        anEvent({ action: 'user.unlinked', details: { subject } }),
      );

    test('the facts about a person whom no user is are empty', async () => {
      const settlement = aSettlement({
        person: { issuer: 'https://a.example', subject: 'none', email: 'none@none.example' },
      });
      expect(await factsFor(settlement)).toEqual({
        linked: undefined,
        byEmail: undefined,
        isEmailTaken: false,
        own: undefined,
        invitation: undefined,
        newIn: undefined,
      });
      expect(await settle(settlement, () => REFUSED)).toEqual(REFUSED);
      expect(await store().identities.findUser(settlement.person)).toBeUndefined();
    });

    test('the facts tell the user of the identity and the user of the address', async () => {
      const [ada, grace] = await givenAdmins(store());
      const { person } = await givenIdentity(store(), ada);
      const facts = await factsFor(aSettlement({ person: { ...person, email: grace.email.toUpperCase() } }));
      const account = unwrapFound(await store().accounts.findById(ada.accountId));
      const known = { account, emailProvedAt: START, isBreakGlass: false, hasOtherIdentity: false };
      expect(facts.linked).toEqual({ user: ada, ...known });
      expect(facts.byEmail).toEqual({ user: grace, ...known });
      expect(facts.isEmailTaken).toBe(true);
      const other = await factsFor(
        aSettlement({ person: { ...person, subject: 'other', email: ada.email } }),
      );
      expect(other.linked).toBeUndefined();
      expect(other.byEmail).toMatchObject({ user: ada, hasOtherIdentity: true });
    });

    test('an identity is exactly an issuer and a subject', async () => {
      const ada = await givenAdmin(store());
      const { person } = await givenIdentity(store(), ada);
      const { issuer, subject } = person;
      expect(await store().identities.findUser(person)).toBe(ada.id);
      for (const other of [
        { issuer: `${issuer}/`, subject },
        { issuer, subject: subject.toUpperCase() },
        { issuer, subject: `${subject} ` },
        { issuer: subject, subject: issuer },
      ])
        expect(await store().identities.findUser(other)).toBeUndefined();
    });

    test('a first sign-in links the identity and opens the session', async () => {
      const ada = await givenAdmin(store());
      const settlement = await givenIdentity(store(), ada);
      expect(await actions(2)).toEqual(['user.linked', 'session.created']);
      const { provider } = settlement.session;
      expect(await sessionOf(settlement)).toMatchObject({ userId: ada.id, provider, user: ada });
      const { issuer, subject } = settlement.person;
      const found = await means(ada);
      expect(found).toEqual({
        identities: [{ issuer, subject, email: ada.email, linkedAt: START, confirmedAt: START }],
        hasPassword: true,
        emailProvedAt: START,
        breakGlassAt: null,
        passwordOpenUntil: null,
      });
      expect(found).toSatisfy(isDeeplyFrozen);
    });

    test('a later sign-in notes the confirmation and the address', async () => {
      const ada = await givenAdmin(store());
      const { person } = await givenIdentity(store(), ada);
      const later = aSettlement({ person: { ...person, email: 'a@else.example' }, at: LATER });
      expect(await settle(later, decideFor(ada))).toEqual({ outcome: 'settled', user: ada, isNew: false });
      expect(await actions(1)).toEqual(['session.created']);
      expect(await means(ada)).toMatchObject({
        identities: [{ linkedAt: START, confirmedAt: LATER, email: 'a@else.example' }],
      });
    });

    test('the oldest sessions of a user who has too many end', async () => {
      const ada = await givenAdmin(store());
      const first = await givenIdentity(store(), ada);
      const second = aSettlement({ person: first.person, bound: { ...first.bound, keep: 1 } });
      await settle(second, decideFor(ada));
      expect(await actions(2)).toEqual(['session.created', 'session.ended']);
      expect(await sessionOf(first)).toBeUndefined();
      expect(await sessionOf(second)).toBeDefined();
    });

    test('a role from the provider is set, and the sessions ask again who the user is', async () => {
      const [ada] = await givenAdmins(store());
      const { id, secretHash } = await givenSession(store(), ada);
      const { person } = await givenIdentity(store(), ada);
      const again = aSettlement({ person, at: LATER });
      const settled = await settle(again, decideFor(ada, { role: 'member' }));
      expect(settled).toMatchObject({ outcome: 'settled', user: { id: ada.id, role: 'member' } });
      expect(await actions(2)).toEqual(['user.role_set', 'session.created']);
      expect(await store().sessions.find(secretHash)).toMatchObject({ id, isRenewalDue: true });
      expect(await sessionOf(again)).toMatchObject({ isRenewalDue: false, user: { role: 'member' } });
    });

    test('the last admin stays one, and the sign-in goes on', async () => {
      const ada = await givenAdmin(store());
      const { person } = await givenIdentity(store(), ada);
      const again = aSettlement({ person });
      const settled = await settle(again, decideFor(ada, { role: 'member' }));
      expect(settled).toEqual({ outcome: 'settled', user: ada, isNew: false });
      expect(await actions(2)).toEqual(['user.demotion_refused', 'session.created']);
      expect(await sessionOf(again)).toMatchObject({ user: { role: 'admin' } });
    });

    test('a person becomes a user without a password of their own', async () => {
      const { accountId } = await givenAdmin(store());
      const settlement = aSettlement();
      const email = `${settlement.person.subject}@new.example` as Email;
      const settled = await settle({ ...settlement, newUsersIn: accountId }, ({ newIn }) =>
        newUser({ accountId: newIn?.id ?? (0 as typeof accountId), email }),
      );
      if (settled.outcome === 'refused') throw new Error('refused');
      expect(settled).toMatchObject({
        isNew: true,
        user: { accountId, email, name: 'Noor', role: 'member' },
      });
      expect(await actions(3)).toEqual(['user.created', 'user.linked', 'session.created']);
      expect(await store().users.findById(settled.user.id)).toEqual(settled.user);
      expect(await means(settled.user)).toMatchObject({ hasPassword: false, emailProvedAt: START });
      expect(await sessionOf(settlement)).toMatchObject({ userId: settled.user.id });
      const refused = err({ code: 'password_missing' });
      expect(await unlink(settled.user)).toEqual(refused);
      const revocation = { at: START, by: { kind: 'operator', name: 'x' }, reason: null } as const;
      unwrap(await store().users.setPassword(settled.user.id, CHOSEN, revocation, anEvent()));
      expect(await means(settled.user)).toMatchObject({ hasPassword: true });
      expect(await unlink(settled.user)).toMatchObject({ ok: true });
    });

    test('an invitation is accepted once, and its address is proved only if the provider proved it', async () => {
      const admin = await givenAdmin(store());
      const invitation = await givenInvitation(store(), admin);
      const purpose = { kind: 'invitation', codeHash: invitation.codeHash } as const;
      const facts = await factsFor(aSettlement({ purpose }));
      expect(facts.invitation).toMatchObject({ invitation: invitation.stored });
      const accept = () =>
        settle(aSettlement({ purpose }), ({ invitation: found }) =>
          found
            ? newUser({
                ...found.invitation,
                name: 'Noor',
                invitation: found.invitation,
                isEmailProved: false,
              })
            : REFUSED,
        );
      const settled = await accept();
      if (settled.outcome === 'refused') throw new Error('refused');
      expect(await actions(4)).toEqual([
        'invitation.accepted',
        'user.created',
        'user.linked',
        'session.created',
      ]);
      expect(await means(settled.user)).toMatchObject({ hasPassword: false, emailProvedAt: null });
      expect(await accept()).toEqual(REFUSED);
    });

    test('an invitation whose address is taken is not among the facts', async () => {
      const [admin, other] = [await givenAdmin(store()), await givenAdmin(store())];
      const { codeHash } = await givenInvitation(store(), admin, { email: other.email });
      const facts = await factsFor(aSettlement({ purpose: { kind: 'invitation', codeHash } }));
      expect(facts.invitation).toBeUndefined();
    });

    test('a link leaves the session as it is, and needs it', async () => {
      const ada = await givenAdmin(store());
      const session = await givenSession(store(), ada);
      const purpose = { kind: 'link', userId: ada.id, sessionId: session.id } as const;
      const settlement = aSettlement({ purpose });
      expect(await factsFor(settlement)).toMatchObject({ own: { user: ada } });
      await settle(settlement, decideFor(ada));
      expect(await actions(1)).toEqual(['user.linked']);
      expect(await sessionOf(settlement)).toBeUndefined();
      await store().sessions.end({ id: session.id, userId: ada.id }, anEvent());
      expect(await factsFor(settlement)).toMatchObject({ own: undefined });
    });

    test('a session of another user is not the own one', async () => {
      const [ada, grace] = await givenAdmins(store());
      const { id: sessionId } = await givenSession(store(), grace);
      const purpose = { kind: 'confirm', userId: ada.id, sessionId } as const;
      expect(await factsFor(aSettlement({ purpose }))).toMatchObject({ own: undefined });
    });

    test('a confirmation replaces the secret of the session, once', async () => {
      const ada = await givenAdmin(store());
      const { person } = await givenIdentity(store(), ada);
      const { id: sessionId, secretHash: from } = await givenSession(store(), ada);
      const purpose = { kind: 'confirm', userId: ada.id, sessionId } as const;
      const to = aSecretHash();
      const confirmation = aSettlement({ person, purpose, at: LATER, renewal: { from, to } });
      expect(await settle(confirmation, decideFor(ada))).toMatchObject({ outcome: 'settled' });
      expect(await store().sessions.find(to)).toMatchObject({ id: sessionId, passwordGivenAt: LATER });
      expect(await settle(confirmation, decideFor(ada))).toMatchObject({
        outcome: 'refused',
        reason: 'attempt_of_other_browser',
      });
      expect(await sessionOf(confirmation)).toBeUndefined();
    });

    test('a refusal that concerns a user is an event, and others are none', async () => {
      const ada = await givenAdmin(store());
      await settle(aSettlement(), () => ({ ...REFUSED, about: ada }));
      expect((await store().audit.list({ limit: 1 }))[0]?.event).toMatchObject({
        action: 'user.link_refused',
        details: { reason: 'identity_not_linked' },
      });
    });

    test('unlinking ends the sessions of the identity only', async () => {
      const ada = await givenAdmin(store());
      const one = await givenIdentity(store(), ada);
      const other = await givenIdentity(store(), ada, {
        person: { issuer: 'https://other.example', subject: one.person.subject, email: null },
      });
      const password = await givenSession(store(), ada);
      const unlinked = await unlink(ada, { issuer: one.person.issuer });
      expect(unlinked).toMatchObject(ok([{ issuer: one.person.issuer, subject: one.person.subject }]));
      expect(await sessionOf(one)).toBeUndefined();
      expect(await sessionOf(other)).toBeDefined();
      expect(await store().sessions.find(password.secretHash)).toBeDefined();
      expect(await unlink(ada, { issuer: one.person.issuer })).toEqual(err({ code: 'identity_not_found' }));
      expect(await unlink(ada)).toMatchObject(ok([{ issuer: 'https://other.example' }]));
      expect(await actions(1)).toEqual(['user.unlinked']);
      expect(await store().identities.findUser(one.person)).toBeUndefined();
    });

    test('only persons have means to sign in', async () => {
      expect(await store().identities.findMeans(2_000_000_000 as User['id'])).toBeUndefined();
      const member = await givenUser(store(), (await givenAdmin(store())).accountId, { role: 'member' });
      expect(await means(member)).toMatchObject({ identities: [], hasPassword: true });
    });
  });
}

function unwrapFound<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('not found');
  return found;
}

type NewUserDecision = Extract<Decision, { outcome: 'new' }>;

function newUser(parts: Pick<NewUserDecision, 'accountId' | 'email'> & Partial<NewUserDecision>): Decision {
  const { accountId, email, role = 'member', invitation = null, isEmailProved = true } = parts;
  return { outcome: 'new', accountId, email, name: 'Noor', role, invitation, isEmailProved };
}
