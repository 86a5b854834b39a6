import { authorized, type Operator, type Principal, READ_AUDIT } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { checkAccount } from '../accounts/account-repository.ts';
import { inPages } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { type Instant, shifted } from '../time/instant.ts';
import type { UserRepository } from '../users/user-repository.ts';
import type { Actor, AuditAction, AuditEvent } from './audit-event.ts';
import type { AuditEntry, AuditFilter } from './audit-log.ts';
import { type NamedFilter, named } from './named-filter.ts';

/** A moment, given as a time, or as an age: `ago` is the number of milliseconds before now. */
export type Moment = { readonly at: Instant } | { readonly ago: number };

/** Selects audit events; filters are combined with AND. */
export interface ListAuditEventsInput extends Pick<AuditFilter, 'accountId'>, NamedFilter {
  readonly action?: AuditAction | undefined;
  /** Selects events with any of these actions, instead of `action`. */
  readonly actions?: AuditFilter['actions'];
  /** Selects events whose subject has one of these types, such as `token` or `user`. */
  readonly subjectTypes?: readonly string[] | undefined;
  readonly subject?: AuditEvent['subject'] | { readonly type: 'user'; readonly email: string } | undefined;
  /**
   * The email of a user or, if no user has this email, the name of an operator. The events of a user include changes
   * that operators made for the user. The events of an operator include changes that the operator made for users.
   */
  readonly actor?: string | undefined;
  /** Selects events at or after this time. */
  readonly since?: Moment | undefined;
  /** Selects events before this time. */
  readonly until?: Moment | undefined;
  /** The maximum number of entries. */
  readonly limit: number;
}

/**
 * Lists audit events, newest first. A filter may contain an email, or an age such as 1 hour. Before the first page,
 * these are replaced by a user id and a time, so that all pages have the same filter.
 */
export const listAuditEvents = authorized(
  READ_AUDIT,
  (ports: Ports<'audit' | 'accounts' | 'users' | 'clock' | 'catalog'>) =>
    async (_, { accountId, ...question }: ListAuditEventsInput) => {
      const { accounts, users, catalog } = ports;
      const known = await checkAccount(accounts, accountId);
      if (!known.ok) return known;
      const asked = await resolved(ports, question);
      if (!asked.ok) return asked;
      const found = await named(ports, question, accountId);
      if (!found.ok) return found;
      const actor = await actorCalled(users, question.actor);
      const actions = actionsOf(catalog.actions, question);
      const filter: AuditFilter = { ...asked.value, ...found.value, accountId, actions, actor };
      const read = (last: AuditEntry | undefined, limit: number) =>
        ports.audit.list({ ...filter, before: last?.id, limit });
      return ok(inPages(read, { limit: question.limit }));
    },
);

/**
 * In a filter, replaces the email of the subject by the user's id, and ages by times. If `accountId` is given, a user
 * of another account is not found.
 */
export async function resolved(
  { users, clock }: Ports<'users' | 'clock'>,
  { subject, since, until }: Pick<ListAuditEventsInput, 'subject' | 'since' | 'until'>,
  accountId?: AccountId,
) {
  const found = await subjectOf(users, subject, accountId);
  if (!found.ok) return found;
  const now = clock.now();
  return ok({ subject: found.value, since: instantOf(since, now), until: instantOf(until, now) });
}

async function subjectOf(
  users: UserRepository,
  subject: ListAuditEventsInput['subject'],
  accountId?: AccountId,
) {
  if (!subject || !('email' in subject)) return ok(subject);
  const user = await users.findByEmail(subject.email);
  if (!user || user.accountId !== (accountId ?? user.accountId)) return err({ code: 'user_not_found' });
  return ok({ type: 'user', id: String(user.id) } as const);
}

/**
 * Returns the actions to select; undefined for all actions. The first word of an action is the type of its subject (see
 * `eventOf`).
 */
export function actionsOf(
  known: readonly AuditAction[],
  { action, actions: some = action && [action], subjectTypes: types }: ActionFilter,
): readonly AuditAction[] | undefined {
  if (types === undefined) return some;
  const ofTypes = known.filter((each) => types.includes(each.split('.')[0] ?? ''));
  return some === undefined ? ofTypes : ofTypes.filter((each) => some.includes(each));
}

type ActionFilter = Pick<ListAuditEventsInput, 'action' | 'actions' | 'subjectTypes'>;

async function actorCalled(users: UserRepository, name: string | undefined): Promise<Actor | undefined> {
  if (name === undefined) return undefined;
  // The name of an operator in the operating system can also be an email address, so users are searched first.
  const user = await users.findByEmail(name);
  return user ? { kind: 'user', id: user.id } : { kind: 'operator', name };
}

/**
 * Returns the moment as a time. An age is subtracted from `now`; if the time would be before 1970, returns the first
 * instant of 1970.
 */
function instantOf(moment: Moment | undefined, now: Instant): Instant | undefined {
  if (moment === undefined) return undefined;
  return 'at' in moment ? moment.at : shifted(now, -moment.ago);
}

/** The actor of a change as the reader of the log sees it. Users of accounts do not see the names of operators. */
export type ToldActor =
  | Exclude<Actor, { kind: 'operator' }>
  | (Omit<Extract<Actor, { kind: 'operator' }>, 'name'> & { readonly name?: string });

/** An entry of the log, without the facts that its reader may not see. */
export interface ToldEntry extends Omit<AuditEntry, 'event'> {
  readonly event: Omit<AuditEvent, 'actor' | 'origin'> & {
    readonly actor: ToldActor;
    /** The origin of the change; null if an operator made it and the reader may not see the origin. */
    readonly origin: string | null;
  };
}

/**
 * Returns the entry as the caller may see it. Users of accounts see the changes of operators without the names and
 * machines of the operators, because these identify people and hosts of the company that runs the service.
 */
export function toldTo(caller: Principal | Operator, entry: AuditEntry): ToldEntry {
  const { event } = entry;
  if (caller.kind === 'operator' || event.actor.kind !== 'operator') return entry;
  const { name: _, ...actor } = event.actor;
  return { ...entry, event: { ...event, actor, origin: null } };
}
