import { expect, test } from 'vitest';
import type { World } from '../../../testing/index.ts';
import {
  A_SETTLEMENT_AUDIT,
  aSettlement,
  collected,
  createWorld,
  decideFor,
  exportedLines,
  givenAdmin,
  givenUser,
  linesOf,
  OPERATOR,
  unwrap,
} from '../../../testing/index.ts';
import { type ProviderId, unlinkIdentities } from '../../identity-providers/index.ts';
import { settlementAudit } from '../../identity-providers/provider-events.ts';
import { disableUser, type User } from '../../users/index.ts';
import { reapplyAuditEvents } from './reapply-audit-events.ts';

async function arrange() {
  const live = await createWorld();
  const ada = await givenAdmin(live);
  await givenAdmin(live);
  const settlement = aSettlement();
  const person = { ...settlement.person, email: ada.email };
  const { session } = settlement;
  const where = {
    provider: 'entra' as ProviderId,
    identity: person,
    session,
    at: live.clock.now(),
    origin: 'x',
  };
  const link = (world: World) =>
    world.identities.settle({ ...aSettlement({ person }) }, decideFor(ada), {
      ...A_SETTLEMENT_AUDIT,
      linked: settlementAudit(where).linked,
    });
  await link(live);
  await exportedLines(live);
  const restored = { ...live, ...live.backUp() };
  const unlink = () => unlinkIdentities(live)(OPERATOR, { email: ada.email, reason: 'a thief' });
  async function reapply() {
    const exported = linesOf(await exportedLines(live));
    const { reapply: make } = unwrap(await reapplyAuditEvents(restored)(OPERATOR, { exported }));
    const done = await collected(make());
    return done.map(({ change: { kind, id }, outcome }) => `${kind} ${id}: ${outcome}`);
  }
  const linkedTo = (): Promise<User['id'] | undefined> => restored.identities.findUser(person);
  return { live, restored, ada, link, unlink, reapply, linkedTo };
}

test('an identity that was unlinked since the backup is unlinked again, once', async () => {
  const { ada, restored, unlink, reapply, linkedTo } = await arrange();
  unwrap(await unlink());
  expect(await linkedTo()).toBe(ada.id);
  expect(await reapply()).toEqual([`identity ${ada.id}: done`]);
  expect(await linkedTo()).toBeUndefined();
  expect((await restored.audit.list({ limit: 1 }))[0]?.event).toMatchObject({
    action: 'user.unlinked',
    actor: { kind: 'operator', name: 'root' },
    details: { email: ada.email, reason: 'again after a restore' },
  });
  expect(await reapply()).toEqual([`identity ${ada.id}: already`]);
});

test('an identity that was linked again since stays', async () => {
  const { live, unlink, link, reapply, linkedTo, ada } = await arrange();
  unwrap(await unlink());
  await link(live);
  expect(await reapply()).toEqual([]);
  expect(await linkedTo()).toBe(ada.id);
});

test('a user who was also disabled is disabled again, and unlinked', async () => {
  const { live, ada, unlink, reapply } = await arrange();
  await givenUser(live, ada.accountId);
  unwrap(await unlink());
  unwrap(await disableUser(live)(OPERATOR, { id: ada.id, reason: null, transferTo: null }));
  // The colleague was created after the backup, so there Ada is the last admin.
  expect(await reapply()).toEqual([`identity ${ada.id}: done`, `user ${ada.id}: last_admin`]);
});
