import type { AuditEvent, ToldEntry } from '@gatehouse/domain/audit';
import { shortTime, type View } from '@gatehouse/extension-kit/cli';
import { documentOf } from './document.ts';

export const auditView: View<ToldEntry> = {
  document: (entry) => ({
    id: entry.id,
    ...documentOf(entry.event, 'at'),
    actor: actorDocument(entry),
    ...documentOf(entry.event, 'origin', 'action', 'subject', 'accountId', 'details'),
  }),
  empty: 'There are no events yet.',
  columns: [
    { title: 'TIME', value: ({ event }) => shortTime(event.at), essential: true },
    { title: 'WHO', value: who, essential: true, flexible: true },
    { title: 'FROM', value: ({ event }) => event.origin ?? '-', flexible: true },
    { title: 'ACTION', value: ({ event }) => event.action, essential: true },
    {
      title: 'SUBJECT',
      value: ({ event }) => `${event.subject.type} ${event.subject.id}`,
      essential: true,
      folds: true,
    },
    { title: 'DETAILS', value: ({ event }) => detailsOf(event), essential: true, folds: true },
  ],
};

export function actorDocument({ event: { actor }, actorEmail: email }: ToldEntry): object {
  if (actor.kind === 'user') return { ...actor, email };
  return actor.kind === 'operator' && actor.for !== undefined ? { ...actor, for_email: email } : actor;
}

/** Names the actor. Operators are marked, because their name can look like an email address. */
export function who({ event: { actor }, actorEmail }: ToldEntry): string {
  if (actor.kind === 'operator') {
    const operator = actor.name === undefined ? 'an operator' : `${actor.name} (operator)`;
    return actor.for === undefined ? operator : `${operator}, for ${actorEmail ?? `user ${actor.for}`}`;
  }
  if (actor.kind === 'system') return 'Gatehouse';
  return actorEmail ?? `${actor.kind} ${actor.id}`;
}

function detailsOf({ details }: Pick<AuditEvent, 'details'>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.map(word).join(',') : word(value)}`)
    .join(' ');
}

/** Quotes text that could be read as several words. */
function word(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=,]+$/.test(value) ? value : JSON.stringify(value);
}
