import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, type Result } from '../../src/index.ts';
import type { Organization } from '../../src/organizations/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  anEvent,
  anOrganization,
  aRevocation,
  givenAdmin,
  givenAdmins,
  givenMember,
  givenOrganization,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

/** The part of `organizationRepositoryContract` that asks whether the admin who acts still is one. */
export function actingOrganizationAdminContract(name: string, open: OpenRepositories): void {
  describe(`${name} asks again whether an admin may change organizations`, () => {
    const store = openRepositories(open);

    type Scene = { readonly organization: Organization; readonly member: User; readonly other: User };
    type Change = (scene: Scene, event: AuditEvent) => Promise<Result<unknown, { readonly code: string }>>;
    const changes: Readonly<Record<string, Change>> = {
      insert({ organization: { accountId } }, event) {
        const { id: _, ...parts } = anOrganization({ accountId });
        return store().organizations.insert(parts, () => event);
      },
      update: ({ organization: { id } }, event) =>
        store().organizations.update(id, { name: 'Foundry' }, () => event),
      addMember: ({ organization, other }, event) =>
        store().organizations.addMember(
          { organizationId: organization.id, userId: other.id, at: START },
          event,
        ),
      removeMember: ({ organization, member }, event) =>
        store().organizations.removeMember({ organizationId: organization.id, userId: member.id }, event),
      delete: ({ organization: { id } }, event) => store().organizations.delete(id, () => event),
    };

    test.each(Object.keys(changes))(
      '%s is refused to an actor who is no active admin of the account any more',
      async (change) => {
        const [acting, disabled] = await givenAdmins(store());
        const { accountId } = acting;
        const organization = await givenOrganization(store(), accountId);
        const member = await givenUser(store(), accountId, { role: 'member' });
        const other = await givenUser(store(), accountId, { role: 'member' });
        await givenMember(store(), organization.id, member.id);
        await store().users.disable(disabled.id, aRevocation(), anEvent());
        const outsider = await givenAdmin(store());
        const make = (actor: AuditEvent['actor']) =>
          changes[change]?.({ organization, member, other }, anEvent({ actor, accountId, origin: 'actor' }));
        const before = await newestEvent(store());
        for (const { id } of [member, disabled, outsider]) {
          const refused = err({ code: 'not_allowed' });
          expect(await make({ kind: 'user', id })).toEqual(refused);
          expect(await make({ kind: 'operator', name: 'root', for: id })).toEqual(refused);
        }
        expect(await newestEvent(store())).toEqual(before);
        const listed = await store().organizationLists.listCounted({ accountId, limit: 10, countLimit: 10 });
        expect(listed).toEqual([{ organization, members: 1 }]);
        expect(await make({ kind: 'user', id: acting.id })).toMatchObject({ ok: true });
      },
    );
  });
}
