import type { Account } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { canAnswer } from '../users/service-accounts/service-account.ts';
import type { User } from '../users/user.ts';
import { noticeRule } from './notice-kinds.ts';
import type { NoticePreferences } from './notice-preferences.ts';

/** The facts that decide who gets a message about an event. */
export interface EventFacts {
  /** The user whom the event is about, or the owner of the token. */
  readonly about: User | undefined;
  /** The person who answers for the owner of the token, if that is a service account. */
  readonly responsible: User | undefined;
  /** The active admins of the account of the event. */
  readonly admins: readonly User[];
}

/**
 * Returns the persons who get a message about an event. The person who made the change gets one only if it is about the
 * own sign-in: someone else may have used the session.
 */
export function recipientsOf(event: AuditEvent, facts: EventFacts): readonly User[] {
  const rule = noticeRule(event.action);
  if (!rule) return [];
  const { actor } = event;
  const madeIt = ({ id }: User) => actor.kind === 'user' && actor.id === id;
  return audience(rule.to, facts).filter((user) => rule.kind === 'security' || !madeIt(user));
}

function audience(to: 'holder' | 'subject' | 'admins', { about, responsible, admins }: EventFacts) {
  if (to === 'admins') return admins;
  if (!about) return [];
  if (about.kind === 'person') return [about];
  if (to === 'subject') return [];
  return responsible && canAnswer(responsible, about) ? [responsible] : admins;
}

/** Whether the person gets messages about this event at all, decided when the message is about to be sent. */
export function wantsNotice(
  { action }: Pick<AuditEvent, 'action'>,
  recipient: { readonly user: User; readonly account: Account; readonly preferences: NoticePreferences },
): boolean {
  const { user, account, preferences } = recipient;
  const { kind, to } = noticeRule(action) ?? {};
  if (kind === undefined || user.kind !== 'person') return false;
  if (user.disabledAt !== null || account.suspendedAt !== null) return false;
  if (to === 'admins' && user.role !== 'admin') return false;
  return kind === 'security' || preferences[kind];
}
