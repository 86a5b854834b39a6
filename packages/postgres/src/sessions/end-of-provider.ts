import type { ProviderLogOutSelection, SessionRepository } from '@gatehouse/domain/sessions';
import { formatInstant } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockUsers } from '../database/statements/row-locks.ts';
import { sessionColumns, toSession } from './session-records.ts';

/**
 * Ends the sessions that a log-out at a provider names. Locks their users first, as every change of sessions does, and
 * the user of the identity: a sign-in of this user that is being committed then ends, too, if it began before.
 */
export function endOfProvider(db: Queries): SessionRepository['endOfProvider'] {
  return (selected, audit) =>
    commitDurably(db, async (tx) => {
      const { issuer, subject } = selected;
      const { rows } = await sql<{ id: UserId }>`
        select user_id as id from sessions where ${isMeant(selected)}
        union select user_id from identities where issuer = ${issuer} and subject = ${subject}`.execute(tx);
      if (rows.length === 0) return 0;
      const users = await lockUsers(
        tx,
        rows.map(({ id }) => id),
      );
      const ended = await tx
        .deleteFrom('sessions')
        .where(isMeant(selected))
        .where('user_id', 'in', [...users.keys()])
        .returning(sessionColumns)
        .execute();
      const events = ended.flatMap((row) => {
        const user = users.get(row.user_id);
        return user ? [audit(toSession(row), user)] : [];
      });
      await insertAuditEvents(tx, events);
      return events.length;
    });
}

/** Uses the index sessions_of_subject, or without a subject sessions_of_provider_session. */
function isMeant({
  provider,
  issuer,
  subject,
  providerSession,
  openedBefore,
}: ProviderLogOutSelection): RawBuilder<SqlBool> {
  const ofIssuer = sql<SqlBool>`issuer = ${issuer} and created_at < ${formatInstant(openedBefore)}`;
  if (subject === null)
    return sql`(${ofIssuer} and provider_session = ${providerSession} and provider = ${provider})`;
  const ofSubject = sql<SqlBool>`${ofIssuer} and subject = ${subject}`;
  if (providerSession === null) return sql`(${ofSubject})`;
  return sql`(${ofSubject} and provider = ${provider}
    and (provider_session = ${providerSession} or provider_session is null))`;
}
