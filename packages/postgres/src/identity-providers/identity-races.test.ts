import type { Decision, PersonFacts, Settlement } from '@gatehouse/domain/identity-providers';
import {
  A_SETTLEMENT_AUDIT,
  anAttempt,
  type anEvent,
  aRevocation,
  aSettlement,
  givenAdmins,
  givenIdentity,
  givenInvitation,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import type { Email, User } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, type Hold, openStage, type Part, type Side } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresAttemptRepository } from './attempt-repository.ts';
import { createPostgresIdentityRepository } from './identity-repository.ts';

const REFUSED: Decision = {
  outcome: 'refused',
  reason: 'user_not_active',
  about: undefined,
  endsConfirmation: false,
};

/** Decides as the domain does about a linked user, or about the only user of the address. */
function decide({ linked, byEmail, own }: PersonFacts): Decision {
  const found = linked ?? own ?? byEmail;
  if (!found || found.user.disabledAt !== null || found.account.suspendedAt !== null) return REFUSED;
  if (own && linked && linked.user.id !== own.user.id) return REFUSED;
  if (!linked && found.hasOtherIdentity) return REFUSED;
  return { outcome: 'known', user: found.user, isNewLink: !linked, role: null };
}

const demoting = (facts: PersonFacts): Decision => {
  const decision = decide(facts);
  return decision.outcome === 'known' ? { ...decision, role: 'member' } : decision;
};

/** Settles on a side, with events that wait at its gate. */
const settleOn =
  (settlement: Settlement, decides = decide, prepared = (database: Database) => database) =>
  ({ database, event }: Side) => {
    const made = Object.entries(A_SETTLEMENT_AUDIT).map(([name, make]) => [
      name,
      (...input: readonly unknown[]) => {
        // Each entry takes other arguments; they are passed on as they are.
        const events = (make as (...parts: readonly unknown[]) => unknown)(...input);
        return Array.isArray(events) ? events.map(event) : event(events as ReturnType<typeof anEvent>);
      },
    ]);
    const audit = Object.fromEntries(made) as typeof A_SETTLEMENT_AUDIT;
    return createPostgresIdentityRepository(prepared(database)).settle(settlement, decides, audit);
  };

describe('people who sign in with a provider in races', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);
  const { store } = stage;

  const holdsOf = ({ accountId: id }: User): readonly Hold[] => [
    { at: 'row', table: 'accounts', id },
    ...GATE_HOLDS,
  ];
  const withEmail = ({ email }: User, parts: Partial<Settlement> = {}) => {
    const settlement = aSettlement(parts);
    return { ...settlement, person: { ...settlement.person, email } };
  };
  const isOpen = async ({ session }: Settlement) =>
    (await store.sessions.find(session.secretHash)) !== undefined;

  test('an attempt is taken by one of two servers', async () => {
    for (let round = 0; round < 20; round += 1) {
      const attempt = anAttempt();
      await store.attempts.insert(attempt);
      const take: Part<unknown> = ({ database }) =>
        createPostgresAttemptRepository(database).take(attempt.stateHash);
      const taken = await stage.race(take, take, { at: 'gate', letGo: 'both' });
      expect(taken.filter((one) => one !== undefined)).toEqual([attempt]);
    }
  });

  const disabling =
    ({ id }: User): Part<unknown> =>
    ({ store: side, event }) =>
      side.users.disable(id, aRevocation(), event({ action: 'user.disabled' }));

  /** A first sign-in by address against the end of the user, in every staging. */
  async function raceAgainstDisable(prepared?: (database: Database) => Database) {
    const left: { readonly begins: string; readonly opened: boolean; readonly outcome: string }[] = [];
    for (const begins of ['one', 'other'] as const) {
      const [first] = await givenAdmins(store);
      for (const hold of holdsOf(first)) {
        const [user] = await givenAdmins(store);
        const at = hold.at === 'row' ? { ...hold, id: user.accountId } : hold;
        const settlement = withEmail(user);
        const sign = settleOn(settlement, decide, prepared);
        const [{ outcome }] = await stage.race(sign, disabling(user), at, begins);
        left.push({ begins, opened: await isOpen(settlement), outcome });
      }
    }
    return left;
  }

  test('no session of a user outlives the end of the user', async () => {
    const left = await raceAgainstDisable();
    expect(left.every(({ opened }) => !opened)).toBe(true);
    for (const { begins, outcome } of left) expect(outcome).toBe(begins === 'one' ? 'settled' : 'refused');
  });

  test('a session outlives the end of the user, and is detected, without locks', async () => {
    const left = await raceAgainstDisable(withoutLocks);
    expect(left.some(({ opened }) => opened)).toBe(true);
  });

  test.each(['one', 'other'] as const)(
    'a mark for emergencies leaves no identity and no session of it',
    async (begins) => {
      const [first] = await givenAdmins(store);
      for (const hold of [{ at: 'row', table: 'users', id: first.id } as const, ...GATE_HOLDS]) {
        const user = hold.at === 'row' ? first : (await givenAdmins(store))[0];
        const settlement = withEmail(user);
        const mark: Part<unknown> = ({ store: side, event }) =>
          side.breakGlass.mark(user.id, START, { marked: () => event(), unlinked: () => event() });
        const unlessMarked = (facts: PersonFacts) => (facts.byEmail?.isBreakGlass ? REFUSED : decide(facts));
        const [{ outcome }] = await stage.race(settleOn(settlement, unlessMarked), mark, hold, begins);
        expect(outcome).toBe(begins === 'one' ? 'settled' : 'refused');
        expect(await isOpen(settlement)).toBe(false);
        expect((await store.identities.findMeans(user.id))?.identities).toEqual([]);
      }
    },
  );

  test('two persons with one address: one is linked, and the other is refused', async () => {
    for (const hold of GATE_HOLDS) {
      const [user] = await givenAdmins(store);
      const settlements = [withEmail(user), withEmail(user)] as const;
      const raced = await stage.race(settleOn(settlements[0]), settleOn(settlements[1]), hold);
      expect(raced.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'settled']);
      expect((await store.identities.findMeans(user.id))?.identities).toHaveLength(1);
    }
  });

  test('one person who signs in twice for the first time is linked once, with two sessions', async () => {
    for (const hold of GATE_HOLDS) {
      const [user] = await givenAdmins(store);
      const first = withEmail(user);
      const second = { ...withEmail(user), person: first.person };
      const raced = await stage.race(settleOn(first), settleOn(second), hold);
      expect(raced).toMatchObject([{ outcome: 'settled' }, { outcome: 'settled' }]);
      expect([await isOpen(first), await isOpen(second)]).toEqual([true, true]);
      expect((await store.identities.findMeans(user.id))?.identities).toHaveLength(1);
    }
  });

  /** One person whom two users link at once; they share no lock. */
  test('a person who is linked to two users at once becomes one of them', async () => {
    for (const hold of GATE_HOLDS) {
      const [ada] = await givenAdmins(store);
      const [eve] = await givenAdmins(store);
      const { person } = aSettlement();
      const by = (user: User) => ({ ...aSettlement(), person: { ...person, email: user.email } });
      await stage.race(settleOn(by(ada)), settleOn(by(eve)), hold);
      const linked = await Promise.all(
        [ada, eve].map(async ({ id }) => (await store.identities.findMeans(id))?.identities.length),
      );
      expect(linked.toSorted()).toEqual([0, 1]);
    }
  });

  async function raceToDemote(prepared?: (database: Database) => Database) {
    const admins: number[] = [];
    for (const hold of GATE_HOLDS) {
      const [ada, grace] = await givenAdmins(store);
      const [one, other] = [await givenIdentity(store, ada), await givenIdentity(store, grace)];
      const again = ({ person }: Settlement) => settleOn(aSettlement({ person }), demoting, prepared);
      const raced = await stage.race(again(one), again(other), hold);
      expect(raced).toMatchObject([{ outcome: 'settled' }, { outcome: 'settled' }]);
      admins.push((await store.users.listAdmins(ada.accountId, 10)).length);
    }
    return admins;
  }

  test('a provider that demotes both admins of an account at once leaves one', async () => {
    expect(await raceToDemote()).toEqual([1, 1, 1]);
  });

  test('it leaves none, and is detected, without locks', async () => {
    expect(await raceToDemote(withoutLocks)).toContain(0);
  });

  test('an invitation that is accepted with a provider and with a password makes one user', async () => {
    for (const begins of ['one', 'other'] as const) {
      const [admin] = await givenAdmins(store);
      const { codeHash } = await givenInvitation(store, admin);
      const settlement = aSettlement({ purpose: { kind: 'invitation', codeHash } });
      const join = settleOn(settlement, ({ invitation: open }) => {
        if (!open) return REFUSED;
        const { accountId, email, role } = open.invitation;
        const named = { accountId, email, role, name: 'Noor', isEmailProved: false };
        return { outcome: 'new', ...named, invitation: open.invitation };
      });
      const accept: Part<unknown> = ({ store: side, event }) => {
        const user = { name: 'Noor', passwordHash: settlement.unknownPassword ?? ('' as never), at: START };
        return side.invitations.accept(codeHash, user, () => [event()]);
      };
      const hold: Hold = { at: 'row', table: 'accounts', id: admin.accountId };
      const [joined, accepted] = await stage.race(join, accept, hold, begins);
      expect(joined).toMatchObject({ outcome: begins === 'one' ? 'settled' : 'refused' });
      expect(accepted).toMatchObject({ ok: begins === 'other' });
    }
  });

  test('one address that two persons bring makes one user', async () => {
    for (const hold of GATE_HOLDS) {
      const [{ accountId }] = await givenAdmins(store);
      const settlement = aSettlement({ newUsersIn: accountId });
      const email = `${settlement.person.subject}@new.example` as Email;
      const create = (facts: PersonFacts): Decision =>
        facts.isEmailTaken
          ? REFUSED
          : {
              outcome: 'new',
              accountId,
              email,
              name: 'Noor',
              role: 'member',
              invitation: null,
              isEmailProved: true,
            };
      const by = () => {
        const made = aSettlement({ newUsersIn: accountId });
        return settleOn({ ...made, person: { ...made.person, email } }, create);
      };
      const raced = await stage.race(by(), by(), hold);
      expect(raced.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'settled']);
    }
  });

  test('no session of a sign-in that began before outlives the log-out at the provider', async () => {
    for (const begins of ['one', 'other'] as const) {
      const [user] = await givenAdmins(store);
      const old = await givenIdentity(store, user);
      const again = aSettlement({ person: old.person });
      const { issuer, subject } = old.person;
      const logOut: Part<number> = ({ store: side, event }) =>
        side.sessions.endOfProvider(
          {
            provider: 'entra' as never,
            issuer,
            subject,
            providerSession: null,
            openedBefore: (START + 1) as never,
          },
          () => event({ action: 'session.ended' }),
        );
      const hold: Hold = { at: 'row', table: 'users', id: user.id };
      const [, ended] = await stage.race(settleOn(again), logOut, hold, begins);
      expect(await isOpen(old)).toBe(false);
      expect({ ended, opened: await isOpen(again) }).toEqual(
        begins === 'one' ? { ended: 2, opened: false } : { ended: 1, opened: true },
      );
    }
  });

  test('a role that an admin sets while the provider sets another one ends as the later one', async () => {
    const [ada] = await givenAdmins(store);
    const member = await givenUser(store, ada.accountId, { role: 'member' });
    const { person } = await givenIdentity(store, member);
    const promote: Part<unknown> = ({ store: side, event }) =>
      side.users.setRole(member.id, 'admin', () => event({ action: 'user.role_set' }));
    const hold: Hold = { at: 'row', table: 'accounts', id: ada.accountId };
    const [settled] = await stage.race(settleOn(aSettlement({ person }), demoting), promote, hold, 'other');
    expect(settled).toMatchObject({ outcome: 'settled', user: { role: 'member' } });
    expect(await store.users.findById(member.id)).toMatchObject({ role: 'member' });
  });
});
