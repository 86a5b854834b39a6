import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  aRevocation,
  aTokenId,
  createWorldWithAdmins,
  givenSuccessor,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err, ok } from '../../result.ts';
import type { User } from '../../users/user.ts';
import { issueToken } from '../issuing/issue-token.ts';
import { rotateToken } from '../rotation/rotate-token.ts';
import type { Token } from '../token.ts';
import { watchTokenUse } from '../usage/watch-tokens.ts';
import { revokeToken } from './revoke-token.ts';
import { showToken, showTokenPage, showTokenUse } from './show-token.ts';
import { updateToken } from './update-token.ts';

describe('a token that is shown', () => {
  let world: World;
  let ada: User;
  let eve: User;
  let erp: Token;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    erp = await givenToken(world, ada, { name: 'ERP' });
  });

  const show = (idOrName: string, user?: User) =>
    showToken(world)(user ? inPerson(user) : OPERATOR, idOrName);
  const notFound = err({ code: 'token_not_found' });

  test('is found by its id and by its name', async () => {
    const shown = { ok: true, value: { state: 'active', at: START, ...erp } };
    for (const caller of [undefined, ada]) {
      expect(await show(erp.id, caller)).toMatchObject(shown);
      expect(await show('ERP', caller)).toMatchObject(shown);
    }
  });

  test('is not found by other texts, nor by another account', async () => {
    for (const which of ['erp', 'ERP ', '', 'a\u0000', '\ud800', aTokenId()]) {
      expect(await show(which), which).toEqual(notFound);
    }
    expect(await show(erp.id, eve)).toEqual(notFound);
    expect(await show('ERP', eve)).toEqual(notFound);
  });

  test('is never a sign-in token when found by name', async () => {
    const user = await givenUser(world, ada.accountId);
    const { id } = await givenToken(world, user, { kind: 'sign-in', name: 'Sign-in' });
    expect(await show('Sign-in')).toEqual(notFound);
    expect((await show(id)).ok).toBe(true);
  });

  test('is the successor when both have the name, and the replaced token shows its grace period', async () => {
    const record = await givenSuccessor(world, erp, {}, 3_600_000);
    expect(await show('ERP')).toMatchObject(ok({ state: 'active', id: record.id, graceMs: null }));
    expect(await show(erp.id)).toMatchObject(
      ok({ state: 'being_replaced', successor: record.id, graceMs: 3_600_000 }),
    );
    await givenToken(world, await givenUser(world, ada.accountId), { name: 'ERP' });
    expect(await show('ERP')).toMatchObject(err({ code: 'ambiguous_token_name' }));
  });

  test('is found by id even if another token has that text as its name', async () => {
    await givenToken(world, ada, { name: erp.id });
    expect(await show(erp.id)).toMatchObject({ ok: true, value: { name: 'ERP' } });
  });

  test('has its own history only, oldest event first', async () => {
    const scale = { name: 'Scale', format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
    const { id } = unwrap(await issueToken(world)(inPerson(ada), scale)).record;
    await revokeToken(world)(inPerson(ada), { id: erp.id, reason: null });
    await revokeToken(world)(inPerson(ada), { id, reason: 'leaked' });
    expect(unwrap(await show('Scale')).history).toMatchObject([
      { event: { action: 'token.created', subject: { id } } },
      {
        actorEmail: 'ada@acme.example',
        event: { action: 'token.revoked', subject: { id }, details: { reason: 'leaked' } },
      },
    ]);
  });
});

const NOT_FOUND = err({ code: 'token_not_found' });

test('a token comes with its rotation and its newest events, and operators without their names', async () => {
  const { world, ada } = await createWorldWithAdmins();
  const show = showTokenPage(world);
  const caller = inPerson(ada);
  const first = await givenToken(world, ada, { name: 'ERP' });
  for (const name of ['Wiki', 'Shop', 'Mail'])
    unwrap(await updateToken(world)(caller, { id: first.id, name }));
  const second = unwrap(await rotateToken(world)(caller, { id: first.id, graceMs: 0 })).record;
  const shown = unwrap(await show(caller, { id: first.id, events: 2 }));
  expect(shown).toMatchObject({ id: first.id, predecessor: null, replacement: { id: second.id } });
  expect(shown.history.map(({ event }) => event.action)).toEqual(['token.rotated', 'token.updated']);
  expect(shown.hasOlderEvents).toBe(true);
  const other = unwrap(await show(caller, { id: second.id, events: 2 }));
  expect(other).toMatchObject({ predecessor: { id: first.id, state: 'being_replaced' }, replacement: null });
  expect(other.hasOlderEvents).toBe(false);

  const revocation = aRevocation({ by: { kind: 'operator', name: 'root@host' } });
  const revoked = { at: world.clock.now(), action: 'token.revoked', accountId: ada.accountId } as const;
  const subject = { type: 'token', id: second.id } as const;
  const event = { ...revoked, subject, actor: revocation.by, origin: 'host', details: {} };
  unwrap(await world.tokens.revoke(second.id, revocation, event));
  const [told] = unwrap(await show(caller, { id: second.id, events: 2 })).history;
  expect(told?.event).toMatchObject({ actor: { kind: 'operator' }, origin: null });
  expect(JSON.stringify(told)).not.toContain('root@host');
});

test('another account’s token is not found, nor is its use', async () => {
  const { world, ada, eve } = await createWorldWithAdmins();
  const { id } = await givenToken(world, ada);
  for (const [caller, asked] of [
    [inPerson(eve), id],
    [inPerson(ada), aTokenId()],
  ] as const) {
    expect(await showTokenPage(world)(caller, { id: asked, events: 1 })).toEqual(NOT_FOUND);
    expect(await watchTokenUse(world)(caller, asked)).toEqual(NOT_FOUND);
  }
  expect((await showTokenPage(world)(OPERATOR, { id, events: 1 })).ok).toBe(true);
  const look = unwrap(await watchTokenUse(world)(inPerson(ada), id));
  world.usage.used(id, world.clock.now(), '10.0.0.5');
  await world.usage.flush();
  expect(await look()).toMatchObject({ lastUsedAt: world.clock.now(), lastUsedFrom: '10.0.0.5' });
});

describe('the use of a token', () => {
  let world: World;
  let ada: User;
  let eve: User;
  let erp: Token;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    erp = await givenToken(world, ada, { name: 'ERP' });
  });

  const show = (id = erp.id, caller = inPerson(ada)) => showTokenUse(world)(caller, id);

  test('has its addresses, by one read of the token and one of its use', async () => {
    world.usage.used(erp.id, START, '10.0.0.5');
    await world.usage.flush();
    const others = [vi.spyOn(world.users, 'findById'), vi.spyOn(world.audit, 'list')];
    const reads = [vi.spyOn(world.tokens, 'findWithRotation'), vi.spyOn(world.tokens, 'findUsage')];
    const use = unwrap(await show());
    expect(use).toMatchObject({ id: erp.id, state: 'active', revokedBy: null });
    expect(use.usage.usedFrom).toMatchObject([{ address: '10.0.0.5', lastAt: START }]);
    expect(reads.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    expect(others.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test('says why the token cannot be rotated, if it cannot', async () => {
    expect(unwrap(await show()).obstacle).toBeNull();
    const successor = await givenSuccessor(world, erp);
    const code = 'token_not_rotatable';
    expect(unwrap(await show()).obstacle).toEqual({
      code,
      reason: 'being_replaced',
      successorId: successor.id,
    });
    const obstacle = { code, reason: 'replaces_another', predecessorId: erp.id };
    expect(unwrap(await show(successor.id)).obstacle).toEqual(obstacle);
    await world.tokens.revoke(successor.id, aRevocation(), anEvent());
    expect(unwrap(await show(successor.id)).obstacle).toEqual({ code, reason: 'revoked' });
    expect(unwrap(await show()).obstacle).toBeNull();
  });

  test('tells which user of the account revoked it', async () => {
    const ben = await givenUser(world, ada.accountId);
    await givenUser(world, ada.accountId);
    await world.tokens.revoke(erp.id, aRevocation({ by: { kind: 'user', id: ben.id } }), anEvent());
    expect(unwrap(await show()).revokedBy).toEqual({ kind: 'user', email: ben.email });
  });

  test('tells of an operator, without a name', async () => {
    await world.tokens.revoke(erp.id, aRevocation({ by: { kind: 'operator', name: 'root' } }), anEvent());
    expect(unwrap(await show()).revokedBy).toEqual({ kind: 'operator' });
  });

  test('is told to no other account, and to no member', async () => {
    expect(await show(erp.id, inPerson(eve))).toEqual(err({ code: 'token_not_found' }));
    expect(await show(aTokenId())).toEqual(err({ code: 'token_not_found' }));
    expect(await show(erp.id, { ...inPerson(ada), role: 'member' })).toEqual(err({ code: 'not_allowed' }));
  });
});
