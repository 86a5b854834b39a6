import { expect, test } from 'vitest';
import {
  aRevocation,
  aTokenId,
  createWorldWithAdmins,
  givenToken,
  inPerson,
  OPERATOR,
  unwrap,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import { rotateToken } from '../rotation/rotate-token.ts';
import { watchTokenUse } from '../usage/watch-tokens.ts';
import { showTokenPage } from './show-token-page.ts';
import { updateToken } from './update-token.ts';

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
