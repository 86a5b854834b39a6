import { authorized } from '../access/authorized.ts';
import { READ_AUDIT } from '../access/rules.ts';
import type { AccountRepository } from '../accounts/account-repository.ts';
import { err, ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { Instant } from '../time/instant.ts';
import { emailKey } from '../users/email.ts';
import type { UserNotFound, UserRepository } from '../users/user-repository.ts';
import type { Actor, AuditEvent } from './audit-event.ts';
import type { AuditEntry, AuditFilter, AuditLog } from './audit-log.ts';

export interface ListAuditEventsPorts {
  readonly audit: AuditLog;
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
  readonly clock: Clock;
}

/** A moment, or how long ago it was, in milliseconds. */
export type Moment = { readonly at: Instant } | { readonly ago: number };

/** What somebody wants to know of the audit log: events of which all that is given holds. */
export interface AuditQuestion extends Pick<AuditFilter, 'accountId' | 'action'> {
  readonly subject?: AuditEvent['subject'] | { readonly type: 'user'; readonly email: string } | undefined;
  /** A user's email or, where no user has it, an operator's name. */
  readonly actor?: string | undefined;
  /** From this moment on. */
  readonly since?: Moment | undefined;
  /** Up to this moment, and not at it. */
  readonly until?: Moment | undefined;
  /** How many entries at most. */
  readonly limit: number;
}

/** Entries, the newest first, in pages that are read as they are asked for. */
export type AuditPages = AsyncIterable<readonly AuditEntry[]>;

const PAGE_SIZE = 1000;

/** Reads who changed what. Names and moments are settled once, so that all pages answer the same question. */
export const listAuditEvents = authorized(
  READ_AUDIT,
  (ports: ListAuditEventsPorts) =>
    async (_, { accountId, action, ...question }: AuditQuestion) => {
      const { accounts, users } = ports;
      if (accountId !== undefined && !(await accounts.findById(accountId))) {
        return err({ code: 'account_not_found' });
      }
      const subject = await subjectOf(users, question.subject);
      if (!subject.ok) return subject;
      const now = ports.clock.now();
      const filter: AuditFilter = {
        accountId,
        action,
        subject: subject.value,
        actor: await actorCalled(users, question.actor),
        since: instantOf(question.since, now),
        until: instantOf(question.until, now),
      };
      return ok(pages(ports.audit, filter, question.limit));
    },
);

async function* pages(audit: AuditLog, filter: AuditFilter, limit: number): AuditPages {
  let before: AuditEntry['id'] | undefined;
  for (let left = limit; left > 0; left -= PAGE_SIZE) {
    const size = Math.min(left, PAGE_SIZE);
    const page = await audit.list({ ...filter, before, limit: size });
    if (page.length > 0) yield page;
    if (page.length < size) return;
    before = page.at(-1)?.id;
  }
}

async function subjectOf(
  users: UserRepository,
  subject: AuditQuestion['subject'],
): Promise<Result<AuditEvent['subject'] | undefined, UserNotFound>> {
  if (!subject || !('email' in subject)) return ok(subject);
  const user = await users.findByEmail(emailKey(subject.email));
  return user ? ok({ type: 'user', id: String(user.id) }) : err({ code: 'user_not_found' });
}

async function actorCalled(users: UserRepository, name: string | undefined): Promise<Actor | undefined> {
  if (name === undefined) return undefined;
  // The system may name its users by their email addresses, too.
  const user = await users.findByEmail(emailKey(name));
  return user ? { kind: 'user', id: user.id } : { kind: 'operator', name };
}

function instantOf(moment: Moment | undefined, now: Instant): Instant | undefined {
  if (moment === undefined) return undefined;
  // It may be longer ago than moments are told.
  return 'at' in moment ? moment.at : (Math.max(0, now - moment.ago) as Instant);
}
