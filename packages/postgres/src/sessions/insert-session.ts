import type {
  LiveSince,
  NewSession,
  OwnSession,
  SessionBound,
  SessionFormKey,
  SessionRepository,
  SessionSecretHash,
} from '@gatehouse/domain/sessions';
import { formatInstant } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import { rowOf } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';
import { sessionColumns, toSession } from './session-records.ts';

/** Inserts a session and ends the oldest ones beyond the bound. The caller must have locked the row of the user. */
export async function insertSession(
  tx: Queries,
  { secretHash, formKey, provider: opener, ...session }: NewSession,
  bound: SessionBound,
  audit: Parameters<SessionRepository['insert']>[3],
): Promise<void> {
  const { provider, issuer, subject, providerSession } = opener ?? NO_PROVIDER;
  const row = rowOf({ ...session, provider, issuer, subject, providerSession });
  const secrets = { secret_hash: bytesOf(secretHash), form_key: bytesOf(formKey) };
  await tx
    .insertInto('sessions')
    .values({ ...row, ...secrets })
    .execute();
  const oldest = await endOldest(tx, session, bound);
  await insertAuditEvents(tx, [audit.created, ...oldest.map(audit.ended)]);
}

const NO_PROVIDER = { provider: null, issuer: null, subject: null, providerSession: null };

/** The condition that a row is a live session of this user. Uses the index sessions_user_id. */
export function isLiveOf(userId: UserId, { createdAfter, seenAfter }: LiveSince): RawBuilder<SqlBool> {
  return sql`user_id = ${userId} and created_at > ${formatInstant(createdAfter)}
    and last_seen_at > ${formatInstant(seenAfter)}`;
}

/** Ends the user's oldest live sessions, but never this session, if the user has more than `keep`. */
async function endOldest(tx: Queries, { id, userId }: OwnSession, { keep, ...live }: SessionBound) {
  const surplus = tx
    .selectFrom('sessions')
    .select('id')
    .where(isLiveOf(userId, live))
    .where('id', '<>', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(keep - 1);
  const ended = tx.deleteFrom('sessions').where('id', 'in', surplus).returning(sessionColumns);
  return (await ended.execute()).map(toSession);
}

export const bytesOf = (hash: SessionSecretHash | SessionFormKey) => Buffer.from(hash, 'hex');
