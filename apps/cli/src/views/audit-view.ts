import { type AuditEntry, type AuditEvent, formatInstant } from '@gatehouse/domain';
import type { View } from '../output/printer.ts';
import { shortTime } from './time.ts';

export const auditView: View<AuditEntry> = {
  document: ({ id, event, actorEmail: email }) => ({
    id,
    at: formatInstant(event.at),
    actor: event.actor.kind === 'user' ? { ...event.actor, email } : event.actor,
    origin: event.origin,
    action: event.action,
    subject: event.subject,
    account_id: event.accountId,
    details: event.details,
  }),
  columns: [
    { title: 'TIME', value: ({ event }) => shortTime(event.at) },
    { title: 'WHO', value: who, flexible: true },
    { title: 'FROM', value: ({ event }) => event.origin, flexible: true },
    { title: 'ACTION', value: ({ event }) => event.action },
    { title: 'SUBJECT', value: ({ event }) => `${event.subject.type} ${event.subject.id}` },
    { title: 'DETAILS', value: ({ event }) => detailsOf(event), flexible: true },
  ],
};

/** An operator may be called by any name, an email address too: which of them is meant must be seen. */
function who({ event: { actor }, actorEmail }: AuditEntry): string {
  if (actor.kind === 'operator') return `${actor.name} (operator)`;
  return actorEmail ?? `${actor.kind} ${actor.id}`;
}

function detailsOf({ details }: AuditEvent): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.map(word).join(',') : word(value)}`)
    .join(' ');
}

/** A text that would be taken for more than one word is quoted. */
function word(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=,]+$/.test(value) ? value : JSON.stringify(value);
}
