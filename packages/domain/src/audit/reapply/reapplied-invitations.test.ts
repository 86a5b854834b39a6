import { beforeEach, describe, expect, test } from 'vitest';
import {
  A_HASH,
  anEvent,
  aRevocation,
  collected,
  createWorld,
  exportedLines,
  givenAdmins,
  givenInvitation,
  inPerson,
  linesOf,
  OPERATOR,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { revokeInvitation } from '../../links/manage-invitations.ts';
import { err } from '../../result.ts';
import type { User } from '../../users/user.ts';
import { eventOf } from '../event-by.ts';
import { reapplyAuditEvents } from './reapply-audit-events.ts';

type Invitation = Awaited<ReturnType<typeof givenInvitation>>;

describe('an invitation that a restored backup has open', () => {
  let live: World;
  let restored: World;
  let admin: User;
  let invitation: Invitation;

  beforeEach(async () => {
    live = await createWorld();
    [, admin] = await givenAdmins(live);
    invitation = await givenInvitation(live, admin);
    await exportedLines(live);
    restored = { ...live, ...live.backUp() };
  });

  const accept = ({ invitations }: World) =>
    invitations.accept(
      invitation.codeHash,
      { name: 'Noor', passwordHash: A_HASH, at: live.clock.now() },
      (created, accepted) => [
        anEvent(eventOf(live.clock.now(), 'invitation.accepted', accepted, {})),
        anEvent(eventOf(live.clock.now(), 'user.created', created, {})),
      ],
    );

  async function reapply() {
    const exported = linesOf(await exportedLines(live));
    const { reapply: make } = unwrap(await reapplyAuditEvents(restored)(OPERATOR, { exported }));
    const done = await collected(make());
    return done.map(({ change: { kind, id }, outcome }) => `${kind} ${id}: ${outcome}`);
  }

  test.each<[string, string, () => Promise<unknown>]>([
    ['revoked', 'again after a restore', () => revokeInvitation(live)(inPerson(admin), invitation.id)],
    ['accepted', 'again after a restore: it was accepted', () => accept(live)],
    [
      'ended with the rights of its maker',
      'again after a restore: the admin who made it is no longer an active admin',
      () => live.users.setRole(admin.id, 'member', () => anEvent()),
    ],
  ])('is revoked again, once, if it was %s since', async (_, reason, end) => {
    await end();
    expect(await reapply()).toEqual([`invitation ${invitation.id}: done`]);
    expect(await accept(restored)).toEqual(err({ code: 'link_not_accepted' }));
    const [entry] = await restored.audit.list({ limit: 1 });
    expect(entry?.event).toMatchObject({
      action: 'invitation.revoked',
      actor: { kind: 'operator', name: 'root' },
      details: { email: invitation.email, reason },
    });
    expect(await reapply()).toEqual([`invitation ${invitation.id}: already`]);
    expect((await restored.audit.list({ limit: 1 }))[0]?.id).toBe(entry?.id);
  });

  test('stays open if nothing ended it, and is not missed if it was made since', async () => {
    const later = await givenInvitation(live, admin);
    expect(await reapply()).toEqual([]);
    unwrap(await revokeInvitation(live)(inPerson(admin), later.id));
    expect(await reapply()).toEqual([`invitation ${later.id}: already`]);
    expect((await accept(restored)).ok).toBe(true);
  });

  test('ends with its maker, who is disabled again', async () => {
    await live.users.disable(
      admin.id,
      aRevocation(),
      anEvent(eventOf(live.clock.now(), 'user.disabled', admin, { email: admin.email })),
    );
    expect(await reapply()).toContain(`user ${admin.id}: done`);
    expect(await accept(restored)).toEqual(err({ code: 'link_not_accepted' }));
  });
});
