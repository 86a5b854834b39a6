import { beforeEach, describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { type Token, tokenRevoked } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aTokenId,
  givenAccount,
  givenAdmins,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

/** The part of the contract of TokenRepository that revokes several tokens. */
export function tokensRevocationContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the part of the contract of TokenRepository that revokes several tokens`, () => {
    const store = openRepositories(open);
    let admin: User;
    let other: User;

    beforeEach(async () => {
      [admin, other] = await givenAdmins(store());
    });

    const by = ({ id }: User, at = START) => aRevocation({ by: { kind: 'user', id }, reason: 'leaked', at });
    function revoke(tokens: readonly Pick<Token, 'id'>[], revocation = by(admin)) {
      const audit = (token: Token): AuditEvent => ({ ...anEvent(), ...tokenRevoked(token, revocation) });
      const ids = tokens.map(({ id }) => id);
      return store().tokens.revokeSeveral(ids, admin.accountId, revocation, audit);
    }
    const revocationOf = async ({ id }: Token) => (await store().tokens.findRecord(id))?.revocation;
    const eventsOf = async ({ id }: Token) =>
      (await store().audit.list({ subject: { type: 'token', id }, limit: 9 })).map(
        ({ event }) => event.action,
      );

    test('all are revoked, each with an event, in the order of their ids', async () => {
      const tokens = [await givenToken(store(), admin), await givenToken(store(), other)];
      const spared = await givenToken(store(), admin);
      const revocation = by(admin);
      const revoked = await revoke(tokens.toReversed(), revocation);
      const expected = tokens.map((token) => ({ token: { ...token, revocation }, already: false }));
      expect(revoked).toEqual(ok(expected));
      for (const token of tokens) {
        expect(await revocationOf(token)).toEqual(revocation);
        expect(await eventsOf(token)).toEqual(['token.revoked']);
      }
      expect(await revocationOf(spared)).toBeNull();
    });

    test('tokens that had ended are left as they are, without an event', async () => {
      const first = by(other);
      const revoked = await givenToken(store(), admin);
      await store().tokens.revoke(revoked.id, first, anEvent());
      const expired = await givenToken(store(), admin, { expiresAt: addMilliseconds(START, 1) });
      const live = await givenToken(store(), admin);
      const revocation = by(admin, addMilliseconds(START, 1));
      const done = await revoke([revoked, expired, live], revocation);
      expect(done).toMatchObject({ value: [{ already: true }, { already: true }, { already: false }] });
      expect(await Promise.all([revoked, expired, live].map(revocationOf))).toEqual([
        first,
        null,
        revocation,
      ]);
      expect([await eventsOf(revoked), await eventsOf(expired)]).toEqual([[], []]);
    });

    test('none is revoked if one is of another account, or unknown', async () => {
      const own = await givenToken(store(), admin);
      const outsider = await givenUser(store(), (await givenAccount(store())).id);
      const theirs = await givenToken(store(), outsider);
      const notFound = err({ code: 'token_not_found' });
      for (const another of [theirs, { id: aTokenId() }])
        expect(await revoke([own, another])).toEqual(notFound);
      expect([await revocationOf(own), await revocationOf(theirs)]).toEqual([null, null]);
      expect(await eventsOf(own)).toEqual([]);
    });

    test('is refused to an actor who is no active admin of the account any more', async () => {
      const token = await givenToken(store(), admin);
      const member = await givenUser(store(), admin.accountId, { role: 'member' });
      const outsider = await givenUser(store(), (await givenAccount(store())).id);
      await store().users.disable(other.id, aRevocation(), anEvent());
      for (const actor of [member, outsider, other])
        expect(await revoke([token], by(actor))).toEqual(err({ code: 'not_allowed' }));
      expect([await revocationOf(token), await eventsOf(token)]).toEqual([null, []]);
    });

    test('of two at once, each token is revoked by one', async () => {
      const tokens = [
        await givenToken(store(), admin),
        await givenToken(store(), admin),
        await givenToken(store(), admin),
      ];
      const outcomes = await Promise.all([revoke(tokens), revoke(tokens.toReversed(), by(other))]);
      const already = outcomes.map((each) => each.ok && each.value.map((one) => one.already));
      expect(already).toContainEqual([false, false, false]);
      expect(already).toContainEqual([true, true, true]);
      for (const token of tokens) expect(await eventsOf(token)).toEqual(['token.revoked']);
    });

    test('several are found with their details, in the order of their ids, without unknown ones', async () => {
      const tokens = [await givenToken(store(), admin), await givenToken(store(), other)];
      const found = await store().tokens.findSeveral([
        ...tokens.map(({ id }) => id).toReversed(),
        aTokenId(),
      ]);
      expect(found).toEqual(await Promise.all(tokens.map(({ id }) => store().tokens.find(id))));
      expect(await store().tokens.findSeveral([])).toEqual([]);
    });
  });
}
