import { authorized, type Principal, READ_ACCOUNT_AUDIT } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { inPages } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { UserRepository } from '../users/user-repository.ts';
import type { AuditEventId, AuditFilter } from './audit-log.ts';
import {
  actionsOf,
  type ListAuditEventsInput,
  resolved,
  type ToldEntry,
  toldTo,
} from './list-audit-events.ts';
import { named } from './named-filter.ts';

/** Selects events of the caller's account; filters are combined with AND. */
export interface ListAccountAuditEventsInput extends Omit<ListAuditEventsInput, 'accountId' | 'actor'> {
  /** The email of a user of the account. Includes the events that operators made for the user. */
  readonly actor?: string | undefined;
  /** The last event of the previous page. Only events before it in the log are returned. */
  readonly before?: AuditEventId | undefined;
}

/**
 * Lists the audit events of the caller's account, newest first, without the names and machines of operators (`toldTo`).
 * Events and users of other accounts are not found. A filter may contain an email, or an age such as 1 hour. Before the
 * first page, these are replaced by a user id and a time, so that all pages have the same filter.
 */
export const listAccountAuditEvents = authorized(
  READ_ACCOUNT_AUDIT,
  (ports: Ports<'audit' | 'users' | 'clock' | 'catalog'>) =>
    async (caller: Principal, { limit, before, ...question }: ListAccountAuditEventsInput) => {
      const { accountId } = caller;
      const { audit, users, catalog } = ports;
      const asked = await resolved(ports, question, accountId);
      if (!asked.ok) return asked;
      const found = await named(ports, question, accountId);
      if (!found.ok) return found;
      const actor = await userCalled(users, accountId, question.actor);
      if (!actor.ok) return actor;
      const filter: AuditFilter = {
        ...asked.value,
        ...found.value,
        accountId,
        actions: actionsOf(catalog.actions, question),
        actor: actor.value && { kind: 'user', id: actor.value },
      };
      const read = async (last: ToldEntry | undefined, size: number) => {
        const page = await audit.list({ ...filter, before: last?.id ?? before, limit: size });
        return page.map((entry) => toldTo(caller, entry));
      };
      return ok(inPages(read, { limit }));
    },
);

async function userCalled(users: UserRepository, accountId: AccountId, email: string | undefined) {
  if (email === undefined) return ok(undefined);
  const user = await users.findByEmail(email);
  return user?.accountId === accountId ? ok(user.id) : err({ code: 'user_not_found' });
}
