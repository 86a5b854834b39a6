import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWorldWithAdmins,
  givenAccount,
  givenPerson,
  givenToken,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { User } from '../../users/user.ts';
import { rotateToken } from '../rotation/rotate-token.ts';
import type { Token } from '../token.ts';
import { findTokenByReference } from './find-token-by-reference.ts';
import { revokeToken } from './revoke-token.ts';
import { showToken } from './show-token.ts';

const GRACE_MS = 86_400_000;

describe('a token found by reference', () => {
  let world: World;
  let ada: User;
  let eve: User;
  let erp: Token;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    erp = await givenToken(world, ada, { name: 'ERP' });
  });

  const find = (reference: string, user?: User) =>
    findTokenByReference(world)(user ? inPerson(user) : OPERATOR, reference);
  const found = ({ id }: Token) => ({ ok: true, value: { id } });
  const notFound = err({ code: 'token_not_found' });
  const rotate = async ({ id }: Pick<Token, 'id'>) =>
    unwrap(await rotateToken(world)(inPerson(ada), { id, graceMs: GRACE_MS })).record;
  const use = async ({ id }: Pick<Token, 'id'>) => {
    world.usage.used(id, world.clock.now());
    await world.usage.flush();
  };
  const revoke = ({ id }: Pick<Token, 'id'>) => revokeToken(world)(inPerson(ada), { id, reason: null });

  test('is the only live token with the name, however many had it before', async () => {
    const bo = await givenPerson(world, { accountId: ada.accountId, email: 'bo@acme.example' });
    for (let count = 0; count < 60; count += 1) {
      await givenToken(world, bo, { name: 'ERP', expiresAt: START });
    }
    expect(await find('ERP')).toMatchObject(found(erp));
    expect(await find('ERP', ada)).toMatchObject(found(erp));
    expect(await find('ERP', eve)).toEqual(notFound);
    await revoke(erp);
    expect(await find('ERP')).toMatchObject(err({ code: 'ambiguous_token_name', more: true }));
  });

  test('is the only token that had the name if none is live', async () => {
    await revoke(erp);
    expect(await find('ERP')).toMatchObject({ ...found(erp), value: { state: 'revoked' } });
  });

  test('is not chosen among the live tokens of several owners, whose ids the error names', async () => {
    const bo = await givenPerson(world, { accountId: ada.accountId, email: 'bo@acme.example' });
    const his = await givenToken(world, bo, { name: 'ERP' });
    const rotated = await rotate(erp);
    expect(await find('ERP')).toEqual(
      err({
        code: 'ambiguous_token_name',
        candidates: [
          { id: his.id, creator: 'bo@acme.example', state: 'active' },
          { id: rotated.id, creator: 'ada@acme.example', state: 'active' },
          { id: erp.id, creator: 'ada@acme.example', state: 'being_replaced' },
        ],
        more: false,
      }),
    );
  });

  describe('after rotations', () => {
    const idsOf = async (reference: string) => {
      const { id, alsoLive } = unwrap(await find(reference));
      return [id, ...alsoLive.map((each) => each.id)];
    };
    const shown = async (reference: string) => unwrap(await showToken(world)(OPERATOR, reference)).id;

    test('is the newest with the name, and those beside it that still work are told, by any reference', async () => {
      const second = await rotate(erp);
      expect(await idsOf('ERP')).toEqual([second.id, erp.id]);
      expect(await idsOf(second.id)).toEqual([second.id, erp.id]);
      expect(await idsOf(erp.id)).toEqual([erp.id, second.id]);
      await use(second);
      const third = await rotate(second);
      expect(await idsOf('ERP')).toEqual([third.id, second.id, erp.id]);
      expect(await shown('ERP')).toBe(third.id);
      await revoke(second);
      expect(await idsOf('ERP')).toEqual([third.id, erp.id]);
      world.clock.advance(2 * GRACE_MS);
      expect(await idsOf('ERP')).toEqual([third.id]);
    });

    test('is the old one once the unused new one is revoked, and the newest once none is live', async () => {
      const second = await rotate(erp);
      await revoke(second);
      expect(await idsOf('ERP')).toEqual([erp.id]);
      const third = await rotate(erp);
      await revoke(erp);
      await revoke(third);
      // The second and the third replaced the first, and neither replaced the other.
      expect(await find('ERP')).toMatchObject(err({ code: 'ambiguous_token_name' }));
      const wiki = await givenToken(world, ada, { name: 'Wiki' });
      const next = await rotate(wiki);
      await revoke(next);
      await revoke(wiki);
      expect([await idsOf('Wiki'), await shown('Wiki')]).toEqual([[next.id], next.id]);
    });
  });

  test('is one of at most fifty candidates', async () => {
    for (let count = 1; count < 50; count += 1) {
      const account = await givenAccount(world);
      const user = await givenPerson(world, { accountId: account.id, email: `u${count}@acme.example` });
      await givenToken(world, user, { name: 'ERP' });
    }
    const listed = async () => {
      const result = await find('ERP');
      if (result.ok || result.error.code !== 'ambiguous_token_name') throw new Error('there are several');
      return [result.error.candidates.length, result.error.more];
    };
    expect(await listed()).toEqual([50, false]);
    await givenToken(world, eve, { name: 'ERP' });
    expect(await listed()).toEqual([50, true]);
  });
});
