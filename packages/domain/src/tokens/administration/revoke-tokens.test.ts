import { beforeEach, describe, expect, test } from 'vitest';
import {
  aTokenId,
  createWorldWithAdmins,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { User } from '../../users/user.ts';
import type { Token } from '../token.ts';
import { MAX_SELECTED_TOKENS, revokeTokens, showTokens } from './revoke-tokens.ts';

describe('several tokens of an account', () => {
  let world: World;
  let ada: User;
  let eve: User;
  let tokens: Token[];

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    tokens = [await givenToken(world, ada, { name: 'ERP' }), await givenToken(world, ada, { name: 'CI' })];
  });

  const ids = () => tokens.map(({ id }) => id);
  const revoke = (user: User, chosen = ids(), reason: string | null = null) =>
    revokeTokens(world)(inPerson(user), { ids: chosen, reason });
  const revocations = async () => (await world.tokens.findSeveral(ids())).map(({ revocation }) => revocation);

  test('are revoked by an admin, each once, with an event that has the reason', async () => {
    const done = unwrap(await revoke(ada, [...ids(), ...ids()], 'leaked'));
    expect(done.map(({ token, already }) => [token.name, already])).toEqual([
      ['ERP', false],
      ['CI', false],
    ]);
    const events = await world.audit.list({ limit: 2 });
    for (const { event } of events)
      expect(event).toMatchObject({
        action: 'token.revoked',
        actor: { kind: 'user', id: ada.id },
        details: { reason: 'leaked' },
      });
    expect(unwrap(await revoke(ada)).map(({ already }) => already)).toEqual([true, true]);
    expect(await world.audit.list({ limit: 2 })).toEqual(events);
  });

  test('are shown in the order of their ids', async () => {
    const shown = unwrap(await showTokens(world)(inPerson(ada), ids().toReversed()));
    expect(shown.map(({ name, state }) => [name, state])).toEqual([
      ['ERP', 'active'],
      ['CI', 'active'],
    ]);
  });

  test('are not found if one of them is of another account, and then none is revoked', async () => {
    const theirs = await givenToken(world, eve);
    const notFound = err({ code: 'token_not_found' });
    for (const another of [theirs.id, aTokenId()]) {
      expect(await revoke(ada, [...ids(), another])).toEqual(notFound);
      expect(await showTokens(world)(inPerson(ada), [...ids(), another])).toEqual(notFound);
    }
    expect(await revocations()).toEqual([null, null]);
  });

  test('are neither shown to nor revoked by members, and no operator revokes them as such', async () => {
    const notAllowed = err({ code: 'not_allowed' });
    const member = await givenUser(world, ada.accountId, { role: 'member' });
    expect(await revoke(member)).toEqual(notAllowed);
    expect(await showTokens(world)(inPerson(member), ids())).toEqual(notAllowed);
    expect(await revokeTokens(world)(OPERATOR as never, { ids: ids(), reason: null })).toEqual(notAllowed);
    expect(await revocations()).toEqual([null, null]);
  });

  test('are not revoked by an admin who lost the role after the request began', async () => {
    await givenUser(world, ada.accountId);
    const caller = inPerson(ada);
    unwrap(await world.users.setRole(ada.id, 'member', () => ({ actor: OPERATOR }) as never));
    expect(await revokeTokens(world)(caller, { ids: ids(), reason: null })).toEqual(
      err({ code: 'not_allowed' }),
    );
    expect(await revocations()).toEqual([null, null]);
  });

  test('are at least one and at most a page of the list', async () => {
    const many = Array.from({ length: MAX_SELECTED_TOKENS + 1 }, () => aTokenId());
    for (const chosen of [[], many]) {
      expect(await revoke(ada, chosen)).toMatchObject({ error: { code: 'invalid_input' } });
      expect(await showTokens(world)(inPerson(ada), chosen)).toMatchObject({
        error: { code: 'invalid_input' },
      });
    }
    expect(await revoke(ada, ids(), 'x'.repeat(501))).toMatchObject({ error: { code: 'invalid_input' } });
  });
});
