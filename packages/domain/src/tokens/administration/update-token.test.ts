import { beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../../testing/index.ts';
import {
  aTokenId,
  createWorldWithAdmins,
  givenUser,
  inPerson,
  OPERATOR,
  unwrap,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import { addMilliseconds, formatInstant, LAST_INSTANT } from '../../time/instant.ts';
import type { User } from '../../users/user.ts';
import { authenticateToken } from '../authentication/authenticate-token.ts';
import { issueToken } from '../issuing/issue-token.ts';
import type { MintedToken } from '../issuing/mint-token.ts';
import { rotateToken } from '../rotation/rotate-token.ts';
import { showToken } from './show-token.ts';
import { type UpdateTokenInput, updateToken } from './update-token.ts';

const DAY = 86_400_000;

describe('updateToken', () => {
  let world: World;
  let ada: User;
  let eve: User;
  let token: MintedToken;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    world.clock.advance(250);
    token = await issue('ERP');
  });

  const issue = async (name: string) => {
    const input = { name, format: 'jwt', scopes: ['*'], expiry: { in: 90 * DAY } } as const;
    return unwrap(await issueToken(world)(inPerson(ada), input));
  };
  const update = (input: Partial<UpdateTokenInput>, by: User = ada) =>
    updateToken(world)(inPerson(by), { id: token.record.id, ...input });
  const verdict = async ({ secret } = token) => {
    const caller = await authenticateToken(world)(secret, 'test');
    return caller.kind === 'refused' ? caller.reason : caller.kind;
  };

  test('any admin of the account renames a token and brings its end forward, and the token works until then', async () => {
    const bo = await givenUser(world, ada.accountId);
    const { before, after } = unwrap(await update({ name: 'Wiki', expiry: { in: 10 * DAY } }, bo));
    expect(before).toMatchObject({ name: 'ERP', expiresAt: token.record.expiresAt });
    const end = Math.floor((world.clock.now() + 10 * DAY) / 1000) * 1000;
    expect(after).toMatchObject({ name: 'Wiki', expiresAt: end, state: 'active' });
    world.clock.advance(end - world.clock.now() - 1);
    expect(await verdict()).toBe('user');
    world.clock.advance(1);
    expect(await verdict()).toBe('expired');
    expect(unwrap(await showToken(world)(inPerson(ada), 'Wiki')).state).toBe('expired');
  });

  test('the event says what was changed, from what to what, and by whom', async () => {
    await update({ expiry: { at: addMilliseconds(world.clock.now(), DAY) } });
    const first = await world.audit.list({ limit: 1 });
    await update({ name: 'Wiki' });
    const second = await world.audit.list({ limit: 1 });
    const { at, details } = first[0]?.event ?? {};
    expect(at).toBe(world.clock.now());
    expect(details).toEqual({
      name: 'ERP',
      expires_at: formatInstant((Math.floor((world.clock.now() + DAY) / 1000) * 1000) as never),
      former_expires_at: formatInstant(token.record.expiresAt as never),
    });
    const actor = { kind: 'user', id: ada.id };
    expect(second[0]?.event).toMatchObject({ action: 'token.updated', actor });
    expect(second[0]?.event.details).toEqual({ name: 'Wiki', former_name: 'ERP' });
  });

  test('a description is changed, and told in the event and by the token', async () => {
    await update({ description: '  Reads stock\nat night ' });
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event.details).toEqual({ name: 'ERP', description: 'Reads stock\nat night' });
    expect(unwrap(await showToken(world)(inPerson(ada), 'ERP')).description).toBe('Reads stock\nat night');
    await update({ description: ' ' });
    const [removed] = await world.audit.list({ limit: 1 });
    expect(removed?.event.details).toEqual({ name: 'ERP', description: null });
  });

  test('what changes nothing is no error, and in no event', async () => {
    const events = await world.audit.list({ limit: 100 });
    const same = { name: 'ERP', expiry: { at: token.record.expiresAt } } as Partial<UpdateTokenInput>;
    for (const input of [{}, same, { description: '' }]) {
      const { before, after } = unwrap(await update(input));
      expect(after).toEqual(before);
    }
    expect(await world.audit.list({ limit: 100 })).toEqual(events);
  });

  test('the end is never put off, and the error says what it is', async () => {
    expect(await update({ expiry: { in: 91 * DAY } })).toEqual(
      err({ code: 'expiry_not_earlier', expiresAt: token.record.expiresAt }),
    );
  });

  test.each<Partial<UpdateTokenInput>>([
    { name: '' },
    { name: ' ERP' },
    { name: 'a\u0000b' },
    { name: 'x'.repeat(201) },
    { description: 'x'.repeat(501) },
    { description: 'a\u0000b' },
    { expiry: { in: 999 } },
    { expiry: { at: LAST_INSTANT + 1 } as never },
  ])('%j is refused', async (input) => {
    expect(await update(input)).toMatchObject({ error: { code: 'invalid_input' } });
  });

  test('another account’s token is not found, and the operator changes none', async () => {
    const notFound = err({ code: 'token_not_found' });
    expect(await update({ name: 'Wiki' }, eve)).toEqual(notFound);
    expect(await update({ id: aTokenId(), name: 'Wiki' })).toEqual(notFound);
    expect(await updateToken(world)(OPERATOR as never, { id: token.record.id, name: 'Wiki' })).toEqual(
      err({ code: 'not_allowed' }),
    );
  });

  test('a rotation gives the successor the new name, and the life to the end as it is now', async () => {
    await update({ name: 'Wiki', expiry: { in: 10 * DAY } });
    world.clock.advance(DAY);
    const rotated = unwrap(await rotateToken(world)(inPerson(ada), { id: token.record.id, graceMs: 0 }));
    const { name, createdAt, expiresAt } = rotated.record;
    expect(name).toBe('Wiki');
    expect((expiresAt ?? 0) - Math.floor(createdAt / 1000) * 1000).toBe(10 * DAY);
  });
});
