import { beforeEach, describe, expect, test } from 'vitest';
import {
  anEvent,
  aRevocation,
  aTokenId,
  createWorldWithAdmins,
  givenToken,
  givenUser,
  inPerson,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { RuleChanges } from '../../token-policy/change-token-rules.ts';
import { setTokenPolicy } from '../../token-policy/set-token-policy.ts';
import type { User } from '../../users/user.ts';
import { revokeToken } from '../administration/revoke-token.ts';
import { authenticateToken } from '../authentication/authenticate-token.ts';
import { issueToken } from '../issuing/issue-token.ts';
import type { MintedToken } from '../issuing/mint-token.ts';
import type { TokenId } from '../token.ts';
import { type RotateTokenInput, rotateToken } from './rotate-token.ts';
import { DEFAULT_GRACE_MS, GRACE_MAX_MS } from './rotation.ts';

const DAY = 86_400_000;
const GRACE = 10_000;

describe('rotateToken', () => {
  let world: World;
  let ada: User;
  let bo: User;
  let eve: User;
  let old: MintedToken;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    bo = await givenUser(world, ada.accountId);
    old = await issue();
  });

  async function issue(expiry: { in: number } | 'never' = 'never'): Promise<MintedToken> {
    const name = `ERP ${world.clock.now()} ${String(expiry)}`;
    return unwrap(
      await issueToken(world)(inPerson(ada), { name, format: 'jwt', scopes: ['me:read'], expiry }),
    );
  }
  const attempt = (id: TokenId, parts: Partial<RotateTokenInput> = {}, by: User = bo) =>
    rotateToken(world)(inPerson(by), { id, graceMs: GRACE, ...parts });
  const rotate = async (...input: Parameters<typeof attempt>) => unwrap(await attempt(...input));
  const accepted = async ({ secret }: MintedToken) =>
    (await authenticateToken(world)(secret, 'test')).kind === 'user';
  const refused = (reason: string, more: object = {}) =>
    err({ code: 'token_not_rotatable', reason, ...more });

  test('the new token inherits name, scopes, owner and format, whichever admin rotates it', async () => {
    const { record, predecessor } = await rotate(old.record.id);
    const { name, scopes, format } = old.record;
    expect(record).toMatchObject({ name, scopes, format, userId: ada.id, subject: ada.id, expiresAt: null });
    expect(record.replaces).toEqual({ tokenId: old.record.id, graceMs: GRACE });
    expect(predecessor).toMatchObject(old.record);
  });

  test('rules that are stricter by now shorten the lifetime, even if they are set meanwhile, and refuse nothing', async () => {
    const { accountId } = ada;
    const setRules = (person: RuleChanges) =>
      setTokenPolicy(world)(inPerson(ada), { accountId, changes: { person } });
    expect(await rotate(old.record.id)).toMatchObject({ isShortened: false });
    world.clock.advance(1000);
    const now = world.clock.now();
    const other = await issue();
    await setRules({ maxLifetimeMs: 7 * DAY, scopes: ['orgs:read'] });
    const { record, isShortened } = await rotate(other.record.id);
    expect(record).toMatchObject({ scopes: ['me:read'], expiresAt: now + 7 * DAY });
    expect(isShortened).toBe(true);
    await setRules({ maxLifetimeMs: null, mustExpire: false, scopes: null });
    const raced = await issue({ in: 5 * DAY });
    const { tokens } = world;
    // The rules are set between the two steps of the rotation; setting them again changes nothing.
    const rotateLate: typeof tokens.rotate = async (...input) => {
      await setRules({ maxLifetimeMs: DAY });
      return tokens.rotate(...input);
    };
    world = { ...world, tokens: { ...tokens, rotate: rotateLate } };
    expect(await rotate(raced.record.id)).toMatchObject({
      record: { expiresAt: now + DAY },
      isShortened: true,
    });
  });

  test('another format can be requested', async () => {
    const { record, ...token } = await rotate(old.record.id, { format: 'paseto' });
    expect(record.format).toBe('paseto');
    expect(await accepted({ record, ...token })).toBe(true);
  });

  test('a limited lifetime starts anew with the same length, to the second, however often it is renewed', async () => {
    world.clock.advance(250);
    let { record } = await issue({ in: 90 * DAY });
    for (let round = 0; round < 5; round += 1) {
      world.clock.advance(9_300);
      const { record: next, secret } = await rotate(record.id);
      expect((next.expiresAt ?? 0) - Math.floor(next.createdAt / 1000) * 1000).toBe(90 * DAY);
      await accepted({ record: next, secret });
      record = next;
    }
  });

  test('both tokens work until the new one is used, and then the old one for the grace period', async () => {
    const successor = await rotate(old.record.id);
    world.clock.advance(400 * DAY);
    expect(await accepted(old)).toBe(true);
    expect(await accepted(successor)).toBe(true);
    world.clock.advance(GRACE - 1);
    expect(await accepted(old)).toBe(true);
    expect(await accepted(successor)).toBe(true);
    world.clock.advance(1);
    const late = await authenticateToken(world)(old.secret, 'test');
    expect(late).toEqual({ kind: 'refused', reason: 'expired' });
    expect(await accepted(successor)).toBe(true);
  });

  test('the audit log has the rotation and the new token', async () => {
    const successor = await rotate(old.record.id);
    const entries = await world.audit.list({ limit: 2 });
    const [created, rotated] = entries.map(({ event }) => event);
    expect(rotated).toMatchObject({
      action: 'token.rotated',
      actor: { kind: 'user', id: bo.id },
      subject: { type: 'token', id: old.record.id },
      details: { successor_id: successor.record.id, grace_ms: GRACE },
    });
    expect(created).toMatchObject({ action: 'token.created', subject: { id: successor.record.id } });
  });

  test('a token that is being replaced is not rotated again, before or after the first use', async () => {
    const successor = await rotate(old.record.id);
    const again = refused('being_replaced', { successorId: successor.record.id });
    expect(await attempt(old.record.id)).toEqual(again);
    await accepted(successor);
    expect(await attempt(old.record.id)).toEqual(again);
    await revokeToken(world)(inPerson(ada), { id: successor.record.id, reason: null });
    expect(await attempt(old.record.id)).toEqual(refused('being_replaced', { successorId: null }));
  });

  test('only an active admin of the account can rotate, in person; another account’s token is not found', async () => {
    const member = { ...ada, role: 'member' } as const;
    expect(await attempt(old.record.id, {}, member)).toEqual(err({ code: 'not_allowed' }));
    const throughToken = { ...inPerson(ada), scopes: ['*'] as const };
    expect(await rotateToken(world)(throughToken, { id: old.record.id, graceMs: 0 })).toEqual(
      err({ code: 'not_allowed' }),
    );
    expect(await attempt(old.record.id, {}, eve)).toEqual(err({ code: 'token_not_found' }));
    expect(await attempt(aTokenId(), {}, ada)).toEqual(err({ code: 'token_not_found' }));
    expect((await world.tokens.list({ now: START, limit: 9 })).length).toBe(1);
  });

  test('an admin who was demoted or disabled since the caller was read rotates nothing', async () => {
    const cy = await givenUser(world, ada.accountId);
    unwrap(await world.users.setRole(bo.id, 'member', () => anEvent()));
    unwrap(await world.users.disable(cy.id, aRevocation(), anEvent()));
    for (const by of [bo, cy])
      expect(await attempt(old.record.id, {}, by)).toEqual(err({ code: 'not_allowed' }));
    expect((await world.tokens.find(old.record.id))?.successor).toBeNull();
    await rotate(old.record.id, {}, ada);
  });

  test.each([-1, 0.5, GRACE_MAX_MS + 1, Number.NaN])('a grace of %d ms is none', async (graceMs) => {
    expect(await attempt(old.record.id, { graceMs })).toMatchObject({
      error: { code: 'invalid_input', problems: [{ field: 'grace' }] },
    });
    expect((await attempt(old.record.id, { graceMs: GRACE_MAX_MS })).ok).toBe(true);
  });

  test('without an active key of the requested format no token is issued', async () => {
    const unsigned = { ...world, signingKeys: { ...world.signingKeys, findActive: async () => undefined } };
    const input = { id: old.record.id, graceMs: DEFAULT_GRACE_MS };
    expect(await rotateToken(unsigned)(inPerson(bo), input)).toEqual(
      err({ code: 'no_active_key', format: 'jwt' }),
    );
    const { id } = await givenToken(world, ada);
    expect((await world.tokens.find(id))?.successor).toBeNull();
  });
});
