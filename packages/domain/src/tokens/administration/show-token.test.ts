import { beforeEach, describe, expect, test } from 'vitest';
import {
  anEvent,
  aTokenId,
  createWorld,
  givenAccount,
  givenPerson,
  givenToken,
  inPerson,
  OPERATOR,
  START,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import { later } from '../../time/instant.ts';
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
    world = await createWorld();
    const person = async (email: string) =>
      givenPerson(world, { accountId: (await givenAccount(world)).id, email });
    [ada, eve] = [await person('ada@acme.example'), await person('eve@evil.example')];
    erp = await givenToken(world, ada, { name: 'ERP' });
  });

  const show = (idOrName: string, user?: User) =>
    showToken(world)(user ? inPerson(user) : OPERATOR, idOrName);
  const notFound = err({ code: 'token_not_found' });

  test('is found by its id and by its name', async () => {
    const shown = { ok: true, value: { state: 'active', at: START, grant: { token: erp } } };
    for (const caller of [undefined, ada]) {
      expect(await show(erp.id, caller)).toMatchObject(shown);
      expect(await show('ERP', caller)).toMatchObject(shown);
    }
  });

  test('is not found by anything else, nor by another account', async () => {
    for (const which of ['erp', 'ERP ', '', 'a\u0000', '\ud800', aTokenId()]) {
      expect(await show(which), which).toEqual(notFound);
    }
    expect(await show(erp.id, eve)).toEqual(notFound);
    expect(await show('ERP', eve)).toEqual(notFound);
  });

  test('is shown to no member', async () => {
    const bo = { ...ada, role: 'member' as const };
    expect(await show(erp.id, bo)).toEqual(err({ code: 'not_allowed' }));
    expect(await show('ERP', bo)).toEqual(err({ code: 'not_allowed' }));
  });

  test('is no sign-in token, if it is called by a name', async () => {
    const record = { ...erp, id: aTokenId(), kind: 'sign-in', name: 'Sign-in' } as const;
    const credentials = await world.users.findCredentials('ada@acme.example' as never);
    if (!credentials) throw new Error('Ada is there');
    await world.tokens.insert(record, { verifiedHash: credentials.passwordHash }, anEvent());
    expect(await show('Sign-in')).toEqual(notFound);
    expect((await show(record.id)).ok).toBe(true);
  });

  test('is one of several of its name, of which each is told, whatever became of it', async () => {
    await revokeToken(world)(inPerson(ada), { id: erp.id, reason: null });
    const second = await givenToken(world, ada, { name: 'ERP', createdAt: later(START, 1) });
    expect(await show('ERP')).toEqual(
      err({
        code: 'ambiguous_token_name',
        candidates: [
          { id: erp.id, creator: 'ada@acme.example', state: 'revoked' },
          { id: second.id, creator: 'ada@acme.example', state: 'active' },
        ],
        more: false,
      }),
    );
    expect(await show('ERP', eve)).toEqual(notFound);
  });

  test('is one of fifty, and of more that are not told', async () => {
    for (let count = 1; count < 50; count += 1) {
      const account = await givenAccount(world);
      const user = await givenPerson(world, { accountId: account.id, email: `u${count}@acme.example` });
      await givenToken(world, user, { name: 'ERP' });
    }
    const told = async () => {
      const shown = await show('ERP');
      if (shown.ok || shown.error.code !== 'ambiguous_token_name') throw new Error('they are several');
      return [shown.error.candidates.length, shown.error.more];
    };
    expect(await told()).toEqual([50, false]);
    await givenToken(world, eve, { name: 'ERP' });
    expect(await told()).toEqual([50, true]);
  });

  test('is called by an id even where that is another token’s name', async () => {
    await givenToken(world, ada, { name: erp.id });
    expect(await show(erp.id)).toMatchObject({ ok: true, value: { grant: { token: { name: 'ERP' } } } });
  });

  test('has its history, the oldest event first, and nobody else’s', async () => {
    const issued = await issueToken(world)(inPerson(ada), {
      name: 'Scale',
      format: 'paseto',
      scopes: ['*'],
      expiry: 'never',
    });
    if (!issued.ok) throw new Error(issued.error.code);
    const { id } = issued.value.record;
    await revokeToken(world)(inPerson(ada), { id: erp.id, reason: null });
    await revokeToken(world)(inPerson(ada), { id, reason: 'leaked' });
    const shown = await show('Scale');
    if (!shown.ok) throw new Error(shown.error.code);
    expect(shown.value.history).toMatchObject([
      { event: { action: 'token.created', subject: { id } } },
      {
        actorEmail: 'ada@acme.example',
        event: { action: 'token.revoked', subject: { id }, details: { reason: 'leaked' } },
      },
    ]);
  });
});
