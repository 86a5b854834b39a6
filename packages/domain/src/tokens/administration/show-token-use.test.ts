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
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { User } from '../../users/user.ts';
import type { Token } from '../token.ts';
import { showTokenUse } from './show-token-use.ts';

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
