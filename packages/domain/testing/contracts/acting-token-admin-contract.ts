import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, type Result } from '../../src/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAdmin, givenAdmins, givenToken, givenUser, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

/** The part of the contract of TokenRepository that asks whether the admin who acts still is one. */
export function actingTokenAdminContract(name: string, open: OpenRepositories): void {
  describe(`${name} asks again whether an admin may change tokens`, () => {
    const store = openRepositories(open);

    type Change = (token: Token, event: AuditEvent) => Promise<Result<unknown, { readonly code: string }>>;
    const changes: Readonly<Record<string, Change>> = {
      revoke: ({ id }, event) => store().tokens.revoke(id, aRevocation({ by: event.actor }), event),
      update: ({ id }, event) => store().tokens.update(id, { name: 'Wiki' }, START, () => event),
      revokeSeveral: ({ id, accountId }, event) =>
        store().tokens.revokeSeveral([id], accountId, aRevocation({ by: event.actor }), () => event),
    };
    const eventIn = ({ accountId }: User, actor: AuditEvent['actor']) =>
      anEvent({ actor, accountId, origin: 'by the actor' });

    test.each(Object.keys(changes))(
      '%s is refused to an actor who is no active admin of the account any more',
      async (change) => {
        const [acting, disabled] = await givenAdmins(store());
        const member = await givenUser(store(), acting.accountId, { role: 'member' });
        const outsider = await givenAdmin(store());
        const token = await givenToken(store(), acting);
        await store().users.disable(disabled.id, aRevocation(), anEvent());
        const make = (actor: AuditEvent['actor']) => changes[change]?.(token, eventIn(acting, actor));
        const [before, found] = [await newestEvent(store()), await store().tokens.find(token.id)];
        for (const { id } of [member, disabled, outsider]) {
          const refused = err({ code: 'not_allowed' });
          expect(await make({ kind: 'user', id })).toEqual(refused);
          expect(await make({ kind: 'operator', name: 'root', for: id })).toEqual(refused);
        }
        expect(await newestEvent(store())).toEqual(before);
        expect(await store().tokens.find(token.id)).toEqual(found);
        expect(await make({ kind: 'user', id: acting.id })).toMatchObject({ ok: true });
      },
    );

    test.each(Object.keys(changes))(
      '%s is refused in a suspended account, except to an operator',
      async (change) => {
        const acting = await givenAdmin(store());
        const token = await givenToken(store(), acting);
        await store().accounts.suspend(acting.accountId, START, anEvent());
        const make = (actor: AuditEvent['actor']) => changes[change]?.(token, eventIn(acting, actor));
        expect(await make({ kind: 'user', id: acting.id })).toEqual(err({ code: 'not_allowed' }));
        expect(await make({ kind: 'operator', name: 'root' })).toMatchObject({ ok: true });
      },
    );
  });
}
