import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createFakeTokenSigner,
  createWorldWithAdmins,
  inPerson,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { openActiveKey } from '../../signing-keys/active-key.ts';
import { addMilliseconds, type Instant, wholeSecond } from '../../time/instant.ts';
import type { User } from '../../users/user.ts';
import { issueToken } from '../issuing/issue-token.ts';
import type { TokenFormat } from '../token.ts';
import type { TokenClaims } from '../token-signer.ts';
import { authenticateToken, recordDenial, refused } from './authenticate-token.ts';

describe('authenticateToken', () => {
  let world: World;
  let admin: User;

  beforeEach(async () => {
    ({ world, ada: admin } = await createWorldWithAdmins());
  });

  const authenticate = (token: string) => authenticateToken(world)(token, '192.0.2.1');
  const reasonFor = async (token: string) => {
    const caller = await authenticate(token);
    return caller.kind === 'refused' ? caller.reason : 'accepted';
  };
  async function issue(parts: { format?: TokenFormat; lifetime?: number } = {}) {
    const { format = 'paseto', lifetime } = parts;
    const expiry = lifetime === undefined ? ('never' as const) : { in: lifetime };
    const input = { name: `T${Math.random()}`, format, scopes: ['*'], expiry } as const;
    return unwrap(await issueToken(world)(inPerson(admin), input));
  }

  test('the record is read on behalf of the user whom the token names, and nothing else is', async () => {
    const { secret } = await issue();
    const ofUser = vi.spyOn(world.onBehalf, 'ofUser').mockImplementation(() => undefined);
    expect(await reasonFor(secret)).toBe('unknown_token');
    expect(ofUser).toHaveBeenCalledExactlyOnceWith(admin.id, expect.any(Function));
    ofUser.mockRestore();
    expect(await reasonFor(secret)).toBe('accepted');
  });

  test.each(['paseto', 'jwt'] as const)(
    'a %s token authenticates its user, with the origin of the request',
    async (format) => {
      const { secret, record } = await issue({ format });
      expect(await authenticate(secret)).toMatchObject({
        kind: 'user',
        userId: admin.id,
        accountId: admin.accountId,
        role: 'admin',
        scopes: ['*'],
        origin: '192.0.2.1',
        token: { ...record, user: admin },
      });
    },
  );

  test.each([
    ['another issuer', { issuer: 'evil' }],
    ['another audience', { audience: 'other-api' }],
    ['another subject', { subject: 999 as User['id'] }],
    ['another kind', { kind: 'sign-in' }],
    ['another moment of issue', { issuedAt: addMilliseconds(START, 1000) }],
  ] as const)('a signed token with %s is refused', async (_, forged) => {
    const { record } = await issue();
    expect(await reasonFor(await signed({ ...claimsOf(admin), tokenId: record.id, ...forged }))).toBe(
      'claims_mismatch',
    );
  });

  test('a record can expire earlier than its token says, never later', async () => {
    const endless = (await issue()).record;
    const claims = { ...claimsOf(admin), tokenId: endless.id };
    expect(await reasonFor(await signed({ ...claims, expiresAt: addMilliseconds(START, 60_000) }))).toBe(
      'claims_mismatch',
    );

    const { id: tokenId } = (await issue({ lifetime: 60_000 })).record;
    const claiming = async (expiresAt: Instant) => signed({ ...claimsOf(admin), tokenId, expiresAt });
    expect(await reasonFor(await claiming(addMilliseconds(START, 59_000)))).toBe('claims_mismatch');
    const longer = await claiming(addMilliseconds(START, 61_000));
    expect(await reasonFor(longer)).toBe('accepted');
    world.clock.advance(60_000);
    expect(await reasonFor(longer)).toBe('expired');
  });

  test('each use and each refusal by the record is recorded with its time; forgeries are not recorded', async () => {
    const { secret, record } = await issue({ lifetime: 60_000 });
    const usage = async () => (await world.tokens.find(record.id))?.usage;
    world.clock.advance(1_000);
    await authenticate(secret);
    expect(await usage()).toMatchObject({ lastUsedAt: addMilliseconds(START, 1_000), lastRefusal: null });
    await authenticate(`${secret}A`);
    await authenticate(await signed({ ...claimsOf(admin), tokenId: record.id, issuer: 'evil' }));
    expect((await usage())?.lastRefusal).toBeNull();
    world.clock.advance(59_000);
    await authenticate(secret);
    expect(await usage()).toMatchObject({
      lastUsedAt: addMilliseconds(START, 1_000),
      lastRefusal: { at: addMilliseconds(START, 60_000), reason: 'expired' },
    });
  });

  test('a denied request is recorded as a refusal of its token, except for resources that it may not know of', async () => {
    const { secret, record } = await issue();
    const caller = await authenticate(secret);
    recordDenial(world.usage, caller, { code: 'not_found' });
    const usage = async () => (await world.tokens.find(record.id))?.usage;
    expect((await usage())?.lastRefusal).toBeNull();
    recordDenial(world.usage, caller, { code: 'insufficient_scope', scope: 'orgs:read' });
    expect((await usage())?.lastRefusal).toMatchObject({ at: START, reason: 'insufficient_scope' });
    recordDenial(world.usage, refused('revoked'), { code: 'not_allowed' });
    expect((await usage())?.lastRefusal?.reason).toBe('insufficient_scope');
  });

  test('uses, refusals and denials are recorded with the address of the request', async () => {
    const { secret, record } = await issue({ lifetime: 60_000 });
    const usage = () => world.tokens.findUsage(record.id);
    const caller = await authenticateToken(world)(secret, '192.0.2.7');
    expect(await usage()).toMatchObject({ lastUsedFrom: '192.0.2.7', lastRefusal: null });
    recordDenial(world.usage, caller, { code: 'not_allowed' });
    expect((await usage()).lastRefusal).toEqual({ at: START, reason: 'not_allowed', from: '192.0.2.7' });
    world.clock.advance(60_000);
    await authenticateToken(world)(secret, '192.0.2.8');
    const { lastUsedFrom, lastRefusal } = await usage();
    expect([lastUsedFrom, lastRefusal?.from]).toEqual(['192.0.2.7', '192.0.2.8']);
  });

  test('when records cannot be read, the fault is thrown and no token is accepted', async () => {
    const { secret } = await issue();
    const broken = { findRecord: () => Promise.reject(new Error('no database')) };
    await expect(authenticateToken({ ...world, tokens: broken })(secret, 'x')).rejects.toThrow('no database');
  });

  async function signed(claims: TokenClaims): Promise<string> {
    const key = unwrap(await openActiveKey(world, 'paseto'));
    return createFakeTokenSigner('paseto').sign(claims, key);
  }

  function claimsOf(user: User): TokenClaims {
    return {
      ...world.issuer,
      subject: user.id,
      tokenId: '01890000-0000-7000-8000-00000000ffff' as TokenClaims['tokenId'],
      kind: 'api',
      issuedAt: wholeSecond(START),
      expiresAt: null,
    };
  }
});
