import { err, type Result } from '@gatehouse/domain';
import type { Organization } from '@gatehouse/domain/organizations';
import {
  anOrganization,
  givenAdmins,
  givenMember,
  givenOrganization,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import { createPostgresOrganizationRepository } from './organization-repository.ts';

type Outcome = Result<unknown, { readonly code: string }>;
interface Scene {
  readonly acting: User;
  readonly member: User;
  readonly other: User;
  readonly organization: Organization;
}
type Change = (scene: Scene) => Part<Outcome>;

describe('a change of an organization by an admin who loses the rights meanwhile', {
  timeout: 60_000,
}, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const by = ({ acting: { id, accountId } }: Scene) => ({ actor: { kind: 'user', id }, accountId }) as const;

  const CHANGES: Readonly<Record<string, Change>> = {
    creation:
      (scene) =>
      ({ store, event }) => {
        const { id: _, ...parts } = anOrganization({ accountId: scene.acting.accountId });
        return store.organizations.insert(parts, () => event(by(scene)));
      },
    renaming:
      (scene) =>
      ({ store, event }) =>
        store.organizations.update(scene.organization.id, { name: 'Foundry' }, () => event(by(scene))),
    'a new member':
      (scene) =>
      ({ store, event }) => {
        const added = { organizationId: scene.organization.id, userId: scene.other.id, at: START };
        return store.organizations.addMember(added, event(by(scene)));
      },
    'the removal of a member':
      (scene) =>
      ({ store, event }) => {
        const removed = { organizationId: scene.organization.id, userId: scene.member.id };
        return store.organizations.removeMember(removed, event(by(scene)));
      },
    deletion:
      (scene) =>
      ({ store, event }) =>
        store.organizations.delete(scene.organization.id, () => event(by(scene))),
  };

  const demoteActing: Change =
    ({ acting }) =>
    ({ store, event }) =>
      store.users.setRole(acting.id, 'member', () => event());

  /** Races the demotion of an admin, which begins first, with a change that this admin makes. */
  async function race(change: Change) {
    const outcomes: Outcome[] = [];
    for (const hold of GATE_HOLDS) {
      const [, acting] = await givenAdmins(stage.store);
      const { accountId } = acting;
      const organization = await givenOrganization(stage.store, accountId);
      const member = await givenUser(stage.store, accountId, { role: 'member' });
      const other = await givenUser(stage.store, accountId, { role: 'member' });
      await givenMember(stage.store, organization.id, member.id);
      const scene = { acting, member, other, organization };
      const [ended, changed] = await stage.race(demoteActing(scene), change(scene), hold);
      expect(ended).toMatchObject({ ok: true });
      outcomes.push(changed);
    }
    return outcomes;
  }

  const refused = err({ code: 'not_allowed' });

  test.each(Object.entries(CHANGES))('%s is refused if the admin is demoted first', async (_, change) => {
    expect(await race(change)).toEqual([refused, refused, refused]);
  });

  test('the change is made, and is detected, without locking the account', async () => {
    const unlocked: Change =
      (scene) =>
      ({ database, event }) =>
        createPostgresOrganizationRepository(withoutLocks(database)).update(
          scene.organization.id,
          { name: 'Foundry' },
          () => event(by(scene)),
        );
    expect((await race(unlocked)).some(({ ok }) => ok)).toBe(true);
  });
});
