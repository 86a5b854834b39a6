import { describe, expect, test } from 'vitest';
import { addMilliseconds } from '../../src/time/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, aToken, givenActiveKey, givenAdmins, givenUser, START, unwrap } from '../fixtures.ts';
import {
  A_SETTLEMENT_AUDIT,
  aSettlement,
  decideFor,
  givenConfirmationRule,
  givenIdentity,
} from '../identity-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

const DAY = 86_400_000;
const LATER = addMilliseconds(START, 1000);

/** The part of the contracts of IdentityRepository and TokenPolicies that ends confirmations of persons. */
export function confirmationContract(name: string, open: OpenRepositories): void {
  describe(`${name} ends confirmations of persons by the rule of their account`, () => {
    const store = openRepositories(open);
    const untilOf = async ({ id }: User) => (await store().users.findById(id))?.confirmedUntil;
    const rule = (accountId: User['accountId'], confirmWithinMs: number | null) =>
      givenConfirmationRule(store(), accountId, confirmWithinMs);

    test('without the rule, a confirmation ends nothing', async () => {
      const [ada] = await givenAdmins(store());
      await givenIdentity(store(), ada);
      expect(await untilOf(ada)).toBeNull();
    });

    test('with it, each sign-in begins the time again', async () => {
      const [ada] = await givenAdmins(store());
      await rule(ada.accountId, DAY);
      const { person } = await givenIdentity(store(), ada);
      expect(await untilOf(ada)).toBe(addMilliseconds(START, DAY));
      await store().identities.settle(aSettlement({ person, at: LATER }), decideFor(ada), A_SETTLEMENT_AUDIT);
      expect(await untilOf(ada)).toBe(addMilliseconds(LATER, DAY));
    });

    test('the rule holds at once for persons who were confirmed before, and for no one else', async () => {
      const [ada, grace] = await givenAdmins(store());
      const [eve] = await givenAdmins(store());
      const mia = await givenUser(store(), ada.accountId);
      await givenIdentity(store(), ada);
      await givenIdentity(store(), eve);
      await rule(ada.accountId, DAY);
      expect(await Promise.all([ada, grace, eve, mia].map(untilOf))).toEqual([
        addMilliseconds(START, DAY),
        null,
        null,
        null,
      ]);
      await rule(ada.accountId, 2 * DAY);
      expect(await untilOf(ada)).toBe(addMilliseconds(START, 2 * DAY));
      await rule(ada.accountId, null);
      expect(await untilOf(ada)).toBeNull();
    });

    test('a person whom the provider stopped confirming is not confirmed, and is again by a sign-in', async () => {
      const [ada] = await givenAdmins(store());
      await rule(ada.accountId, DAY);
      const { person } = await givenIdentity(store(), ada);
      const refused = { outcome: 'refused', reason: 'no_role', about: ada, endsConfirmation: true } as const;
      await store().identities.settle(aSettlement({ person }), () => refused, A_SETTLEMENT_AUDIT);
      expect(await untilOf(ada)).toBe(DAY);
      await rule(ada.accountId, 2 * DAY);
      expect(await untilOf(ada)).toBe(2 * DAY);
      await store().identities.settle(aSettlement({ person, at: LATER }), decideFor(ada), A_SETTLEMENT_AUDIT);
      expect(await untilOf(ada)).toBe(addMilliseconds(LATER, 2 * DAY));
    });

    test('unlinking keeps the end, and a mark for emergencies removes it', async () => {
      const [ada] = await givenAdmins(store());
      await rule(ada.accountId, DAY);
      await givenIdentity(store(), ada);
      const unlinked = () => anEvent({ action: 'user.unlinked' });
      unwrap(await store().identities.unlink({ userId: ada.id, mayLackPassword: false }, unlinked));
      expect(await untilOf(ada)).toBe(addMilliseconds(START, DAY));
      await rule(ada.accountId, 2 * DAY);
      expect(await untilOf(ada)).toBe(addMilliseconds(START, 2 * DAY));
      unwrap(await store().breakGlass.mark(ada.id, START, { marked: () => anEvent(), unlinked }));
      expect(await untilOf(ada)).toBeNull();
    });

    test('the record of a token has the end, and no token is made after it', async () => {
      const [ada] = await givenAdmins(store());
      const key = await givenActiveKey(store());
      await givenIdentity(store(), ada);
      const token = aToken(ada, key);
      unwrap(await store().tokens.insert(token, anEvent()));
      await rule(ada.accountId, DAY);
      const end = addMilliseconds(START, DAY);
      expect((await store().tokens.findRecord(token.id))?.user.confirmedUntil).toBe(end);
      const codeAt = async (createdAt: typeof end) => {
        const made = await store().tokens.insert(aToken(ada, key, { createdAt }), anEvent());
        return made.ok ? 'made' : made.error.code;
      };
      expect(await codeAt(addMilliseconds(end, -1))).toBe('made');
      expect(await codeAt(end)).toBe('creator_not_fit');
    });
  });
}
