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
  const revoke = ({ id }: Token) => revokeToken(world)(inPerson(ada), { id, reason: null });

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

  test('is not chosen among several live tokens, whose ids the error names', async () => {
    const rotated = unwrap(await rotateToken(world)(inPerson(ada), { id: erp.id, graceMs: 0 }));
    expect(await find('ERP')).toEqual(
      err({
        code: 'ambiguous_token_name',
        candidates: [
          { id: rotated.record.id, creator: 'ada@acme.example', state: 'active' },
          { id: erp.id, creator: 'ada@acme.example', state: 'being_replaced' },
        ],
        more: false,
      }),
    );
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
