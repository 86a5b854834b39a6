import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, type Result } from '../../src/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAdmin, givenAdmins, givenUser, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

/** The part of `userRepositoryContract` that asks whether the admin who acts still is one. */
export function actingAdminContract(name: string, open: OpenRepositories): void {
  describe(`${name} asks again whether an admin may act`, () => {
    const store = openRepositories(open);

    type Change = (subject: User, event: AuditEvent) => Promise<Result<unknown, { readonly code: string }>>;
    const changes: Readonly<Record<string, Change>> = {
      setRole: ({ id }, event) => store().users.setRole(id, 'admin', () => event),
      disable: ({ id }, event) => store().users.disable(id, aRevocation(), event),
      enable: ({ id }, event) => store().users.enable(id, event),
    };
    const eventIn = ({ accountId }: User, actor: AuditEvent['actor']) =>
      anEvent({ actor, accountId, origin: 'by the actor' });

    test.each(Object.keys(changes))(
      '%s is refused to an actor who is no active admin any more',
      async (change) => {
        const [, acting] = await givenAdmins(store());
        const subject = await givenUser(store(), acting.accountId, { role: 'member' });
        const make = (actor: AuditEvent['actor']) => changes[change]?.(subject, eventIn(subject, actor));
        const outsider = await givenAdmin(store());
        const demoted = await givenUser(store(), acting.accountId, { role: 'member' });
        const disabled = await givenUser(store(), acting.accountId);
        await store().users.disable(disabled.id, aRevocation(), anEvent());
        const before = await newestEvent(store());
        for (const { id } of [demoted, disabled, outsider]) {
          expect(await make({ kind: 'user', id })).toEqual(err({ code: 'not_allowed' }));
          expect(await make({ kind: 'operator', name: 'root', for: id })).toEqual(
            err({ code: 'not_allowed' }),
          );
        }
        expect(await store().users.findById(subject.id)).toEqual(subject);
        expect(await newestEvent(store())).toEqual(before);
        expect(await make({ kind: 'user', id: acting.id })).toMatchObject({ ok: true });
      },
    );

    test.each(Object.keys(changes))(
      '%s is refused in a suspended account, except to an operator',
      async (change) => {
        const [acting, subject] = await givenAdmins(store());
        await store().accounts.suspend(acting.accountId, START, anEvent());
        const make = (actor: AuditEvent['actor']) => changes[change]?.(subject, eventIn(subject, actor));
        expect(await make({ kind: 'user', id: acting.id })).toEqual(err({ code: 'not_allowed' }));
        expect(await make({ kind: 'operator', name: 'root' })).toMatchObject({ ok: true });
      },
    );
  });
}
