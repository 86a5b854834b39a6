import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import type { Token } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';

/** The values of a new row of `tokens`. */
export type TokenRow = ReturnType<typeof tokenRowOf>;

export function tokenRowOf({ replaces, revocation, ...token }: Token) {
  return {
    ...token,
    createdAt: formatInstant(token.createdAt),
    expiresAt: formatInstantOrNull(token.expiresAt),
    replacedAt: formatInstantOrNull(token.replacedAt),
    revokedAt: formatInstantOrNull(revocation?.at ?? null),
    revokedBy: revocation && JSON.stringify(revocation.by),
    revokedReason: revocation?.reason ?? null,
    predecessor: replaces?.tokenId ?? null,
    graceMs: replaces?.graceMs ?? null,
  };
}

/** The columns, in the order of `tokenRow`. */
export const tokenRowColumns = sql`(
  id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at,
  revoked_at, revoked_by, revoked_reason, replaces, grace_ms, replaced_at
)`;

/** The values with their types, to select and insert. */
export function tokenRow(row: TokenRow): RawBuilder<unknown> {
  return sql`
    ${row.id}::uuid, ${row.accountId}::bigint, ${row.userId}::bigint, ${row.subject}::bigint,
    ${row.kind}, ${row.name}, ${row.format}, ${row.keyId}, ${row.scopes}::text[],
    ${row.createdAt}::timestamptz, ${row.expiresAt}::timestamptz,
    ${row.revokedAt}::timestamptz, ${row.revokedBy}::jsonb, ${row.revokedReason},
    ${row.predecessor}::uuid, ${row.graceMs}::bigint, ${row.replacedAt}::timestamptz`;
}
