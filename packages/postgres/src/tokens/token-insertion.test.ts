import { A_GUARD, anEvent, aSuccessor, aToken, givenUser } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { isAcceptedIn, isLive, type TokenDetails, type TokenId, tokenState } from '@gatehouse/domain/tokens';
import { afterAll, describe, expect, test } from 'vitest';
import { NOW, openRefusableTokens } from '../../testing/refusable-tokens.ts';

const { store, tokens, close } = await openRefusableTokens();
afterAll(close);
const keys = await store.signingKeys.list();
const keyOf = ({ keyId }: TokenDetails) => keys.find(({ id }) => id === keyId) ?? expect.fail('no key');

/** Why the domain would refuse the token if it were new: the user and the account are checked before the key. */
function refusalOf(token: TokenDetails) {
  const anew = { ...token, revocation: null, expiresAt: null };
  if (isAcceptedIn(tokenState(anew, NOW))) return undefined;
  const isKey = isAcceptedIn(tokenState({ ...anew, keyState: 'active' }, NOW));
  return isKey ? 'key_not_usable' : 'creator_not_fit';
}

/** A token that can be rotated of each combination of user, account and key. */
const FIRSTS = tokens.filter(
  (token) =>
    token.replaces === null && isLive(token, NOW) && token.successor === null && token.replacedAt === null,
);

const codeOf = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }) =>
  result.error?.code;

test('there is a token that can be rotated for each combination of what tokens depend on', () => {
  expect(FIRSTS.map(refusalOf).toSorted()).toEqual([
    ...Array(14).fill('creator_not_fit'),
    'key_not_usable',
    undefined,
  ]);
});

describe.each(FIRSTS.map((token) => [refusalOf(token) ?? 'nothing', token] as const))(
  'if %s is wrong in the domain,',
  (_, token) => {
    const { user } = token;
    const key = keyOf(token);

    test('an API token is refused so', async () => {
      const result = await store.tokens.insert(aToken(user, key, { createdAt: NOW }), anEvent());
      expect(codeOf(result)).toBe(refusalOf(token));
    });

    test('a sign-in is refused so', async () => {
      const parts = { kind: 'sign-in', createdAt: NOW, expiresAt: addMilliseconds(NOW, 1000) } as const;
      const result = await store.tokens.insertSignIn(aToken(user, key, parts), A_GUARD, anEvent());
      expect(codeOf(result)).toBe(refusalOf(token));
    });

    test('a successor is refused so, and one that a disabled user makes', async () => {
      const { id: by } = await givenUser(store, token.accountId);
      const successor = aSuccessor(token, { createdAt: NOW });
      const events = [anEvent(), anEvent()];
      if (user.disabledAt !== null) {
        const own = await store.tokens.rotate(successor, { by: user.id }, events);
        expect(codeOf(own)).toBe('not_allowed');
      }
      expect(codeOf(await store.tokens.rotate(successor, { by }, events))).toBe(refusalOf(token));
    });
  },
);

describe('a name', async () => {
  const ofFitUsers = tokens.filter(
    ({ user, account }) =>
      user.disabledAt === null && user.confirmedUntil === null && account.suspendedAt === null,
  );
  const key = keys.find(({ state }) => state === 'verify-only') ?? expect.fail('no key');

  test('is that of a token that the domain says is live and not replaced', async () => {
    const held: TokenId[] = [];
    for (const { id, user, name } of ofFitUsers) {
      const result = await store.tokens.insert(aToken(user, key, { name, createdAt: NOW }), anEvent());
      if (codeOf(result) === 'token_name_taken') held.push(id);
    }
    const holding = ofFitUsers.filter((token) => isLive(token, NOW) && token.replacedAt === null);
    expect(held).toEqual(holding.map(({ id }) => id));
  });
});
