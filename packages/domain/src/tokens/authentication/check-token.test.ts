import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  aRevocation,
  createFakeTokenSigner,
  createWorldWithAdmins,
  givenPerson,
  inPerson,
  OPERATOR,
  START,
  signInToken,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { User } from '../../users/user.ts';
import { issueToken } from '../issuing/issue-token.ts';
import type { MintedToken } from '../issuing/mint-token.ts';
import { NEVER_USED } from '../usage/token-usage.ts';
import { checkToken } from './check-token.ts';

const LIFETIME = 60_000;
const NOT_FOUND = err({ code: 'token_not_found' });

let world: World;
let ada: User;
let eve: User;
let ben: User;
let token: MintedToken;

beforeEach(async () => {
  ({ world, ada, eve } = await createWorldWithAdmins());
  ben = await givenPerson(world, { accountId: ada.accountId, email: 'ben@acme.example', role: 'member' });
  token = await issue(ada);
});

async function issue(owner: User) {
  const input = { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: { in: LIFETIME } } as const;
  return unwrap(await issueToken(world)(inPerson(owner), input));
}

const check = (by: User, text: string, parts: Partial<World> = {}) =>
  checkToken({ ...world, ...parts })(inPerson(by), text);
const refusalOf = async (parts?: Partial<World>) => unwrap(await check(ada, token.secret, parts)).refusal;

test('an admin learns whose a token of the account is, and that it works', async () => {
  expect(unwrap(await check(ada, token.secret))).toMatchObject({
    id: token.record.id,
    user: ada,
    refusal: null,
  });
  expect(unwrap(await check(ada, await signInToken(world, ben)))).toMatchObject({
    kind: 'sign-in',
    user: ben,
    state: 'active',
  });
});

describe('why a token does not work:', () => {
  test('it was revoked, or it has expired', async () => {
    world.clock.advance(LIFETIME);
    expect(await refusalOf()).toBe('expired');
    await world.tokens.revoke(token.record.id, aRevocation(), anEvent());
    expect(await refusalOf()).toBe('revoked');
  });

  test('its owner is disabled, or the account suspended', async () => {
    const found = (await world.tokens.find(token.record.id)) ?? expect.fail();
    const reading = (details: typeof found) => ({ tokens: { ...world.tokens, find: async () => details } });
    expect(await refusalOf(reading({ ...found, user: { ...ada, disabledAt: START } }))).toBe('user_disabled');
    expect(await refusalOf(reading({ ...found, account: { ...found.account, suspendedAt: START } }))).toBe(
      'account_suspended',
    );
    expect(await refusalOf(reading({ ...found, keyState: 'retired' }))).toBe('key_retired');
  });

  test('the server has another issuer than when the token was made', async () => {
    expect(await refusalOf({ issuer: { ...world.issuer, issuer: 'elsewhere' } })).toBe('claims_mismatch');
  });
});

describe('one answer, after one read of a record,', () => {
  const UNSEEN: Readonly<Record<string, () => [User, string] | Promise<[User, string]>>> = {
    'another account’s token': () => [eve, token.secret],
    'another user’s token, for a member': () => [ben, token.secret],
    'a text that is no token': () => [ada, 'Door badges'],
    'a token with another signature': () => [ada, `${token.secret}A`],
    'a token of an unknown key': async () => {
      const key = await createFakeTokenSigner().generateKey();
      const claims = { ...world.issuer, subject: ada.id, tokenId: token.record.id, issuedAt: START } as const;
      return [ada, await createFakeTokenSigner().sign({ ...claims, expiresAt: null, kind: 'api' }, key)];
    },
  };

  test.each(Object.entries(UNSEEN))('is given to %s', async (_, given) => {
    const [by, text] = await given();
    const find = vi.spyOn(world.tokens, 'find');
    expect(await check(by, text)).toEqual(NOT_FOUND);
    expect(find).toHaveBeenCalledOnce();
  });
});

test('a member checks own tokens only, and an operator none', async () => {
  expect(unwrap(await check(ben, await signInToken(world, ben)))).toMatchObject({ user: ben, refusal: null });
  expect(await checkToken(world)(OPERATOR as never, token.secret)).toEqual(err({ code: 'not_allowed' }));
});

test('a check is no use of the token', async () => {
  await check(ada, token.secret);
  await world.usage.flush();
  expect((await world.tokens.find(token.record.id))?.usage).toEqual(NEVER_USED);
});
