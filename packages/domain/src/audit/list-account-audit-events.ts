import { authorized, type Principal, READ_ACCOUNT_AUDIT } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { inPages } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { UserRepository } from '../users/user-repository.ts';
import type { AuditAction } from './audit-event.ts';
import type { AuditEventId, AuditFilter } from './audit-log.ts';
import { type ListAuditEventsInput, resolved, type ToldEntry, toldTo } from './list-audit-events.ts';

/** Selects events of the caller's account; filters are combined with AND. */
export interface ListAccountAuditEventsInput extends Omit<ListAuditEventsInput, 'accountId' | 'actor'> {
  /** Selects events whose subject has one of these types, such as `token` or `user`. */
  readonly subjectTypes?: readonly string[] | undefined;
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
  ({ audit, users, clock, catalog }: Ports<'audit' | 'users' | 'clock' | 'catalog'>) =>
    async (caller: Principal, { limit, before, ...question }: ListAccountAuditEventsInput) => {
      const { accountId } = caller;
      const asked = await resolved({ users, clock }, question, accountId);
      if (!asked.ok) return asked;
      const actor = await userCalled(users, accountId, question.actor);
      if (!actor.ok) return actor;
      const filter: AuditFilter = {
        ...asked.value,
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

/**
 * Returns the actions to select; undefined for all actions. The first word of an action is the type of its subject (see
 * `eventOf`).
 */
function actionsOf(
  known: readonly AuditAction[],
  { action, subjectTypes: types }: Omit<ListAccountAuditEventsInput, 'limit'>,
) {
  if (types === undefined) return action && [action];
  return known.filter((each) => types.includes(each.split('.')[0] ?? '') && each === (action ?? each));
}

async function userCalled(users: UserRepository, accountId: AccountId, email: string | undefined) {
  if (email === undefined) return ok(undefined);
  const user = await users.findByEmail(email);
  return user?.accountId === accountId ? ok(user.id) : err({ code: 'user_not_found' });
}
