import type { AuditEvent } from '../audit/audit-event.ts';
import type { Ports } from '../ports.ts';
import type { TokenId } from '../tokens/token.ts';
import type { User, UserId } from '../users/user.ts';
import { noticeRule } from './notice-kinds.ts';
import type { EventFacts } from './recipients.ts';

export type EventFactsPorts = Ports<'users' | 'serviceAccounts' | 'tokens'>;

/** The largest number of admins of an account who get a message about an event. */
const MAX_ADMINS = 50;

/** Reads the facts that decide who gets a message about an event. */
export async function findEventFacts(ports: EventFactsPorts, event: AuditEvent): Promise<EventFacts> {
  const { users, serviceAccounts } = ports;
  const about = await findAbout(ports, event);
  const isOfService = about?.kind === 'service';
  const responsible = isOfService ? (await serviceAccounts.find(about.id))?.responsible : undefined;
  const needsAdmins = isOfService || noticeRule(event.action)?.to === 'admins';
  const admins =
    needsAdmins && event.accountId !== null ? await users.listAdmins(event.accountId, MAX_ADMINS) : [];
  return { about, responsible, admins };
}

async function findAbout(
  { users, tokens }: EventFactsPorts,
  { subject: { type, id } }: AuditEvent,
): Promise<User | undefined> {
  if (type === 'user') return users.findById(Number(id) as UserId);
  if (type !== 'token') return undefined;
  const record = await tokens.findRecord(id as TokenId);
  // Sign-in tokens end by themselves whenever a session does, and no one has to be told.
  return record?.kind === 'api' ? record.user : undefined;
}
