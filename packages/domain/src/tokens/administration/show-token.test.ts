import { beforeEach, describe, expect, test } from 'vitest';
import {
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
import type { Token } from '../token.ts';
import { revokeToken } from './revoke-token.ts';
import { showToken } from './show-token.ts';

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
