import type { Session } from '@gatehouse/domain/sessions';
import type { Selection } from 'kysely';
import type { Queries, Schema } from '../database/schema.ts';

/** Selects sessions without the hashes of their secrets. */
export function selectSessions(db: Queries) {
  return db.selectFrom('sessions').select(sessionColumns);
}

export const sessionColumns = [
  'sessions.id',
  'sessions.user_id',
  'sessions.created_at',
  'sessions.last_seen_at',
  'sessions.password_given_at',
  'sessions.origin',
  'sessions.user_agent',
  'sessions.provider',
  'sessions.issuer',
  'sessions.subject',
  'sessions.provider_session',
] as const;

type Row = Selection<Schema, 'sessions', (typeof sessionColumns)[number]>;

export function toSession(row: Row): Session {
  return Object.freeze({
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    passwordGivenAt: row.password_given_at,
    origin: row.origin,
    userAgent: row.user_agent,
    provider: toProviderSession(row),
  });
}

function toProviderSession({
  provider,
  issuer,
  subject,
  provider_session: providerSession,
}: Row): Session['provider'] {
  if (provider === null || issuer === null || subject === null) return null;
  return Object.freeze({ provider, issuer, subject, providerSession });
}
