import type { Token } from '@gatehouse/domain/tokens';
import type { Selectable } from 'kysely';
import type { TokenTable } from '../database/schema.ts';

export const tokenColumns = [
  'tokens.id',
  'tokens.account_id',
  'tokens.user_id',
  'tokens.subject',
  'tokens.kind',
  'tokens.name',
  'tokens.format',
  'tokens.key_id',
  'tokens.scopes',
  'tokens.created_at',
  'tokens.expires_at',
  'tokens.revoked_at',
  'tokens.revoked_by',
  'tokens.revoked_reason',
  'tokens.replaces',
  'tokens.grace_ms',
  'tokens.replaced_at',
] as const;

export function toToken(row: Selectable<TokenTable>): Token {
  const { revoked_at: at, revoked_by: by, revoked_reason: reason } = row;
  const { replaces: tokenId, grace_ms: graceMs } = row;
  return Object.freeze({
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    subject: row.subject,
    kind: row.kind,
    name: row.name,
    format: row.format,
    keyId: row.key_id,
    scopes: Object.freeze(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revocation: at === null || by === null ? null : Object.freeze({ at, by: Object.freeze(by), reason }),
    replaces: tokenId === null || graceMs === null ? null : Object.freeze({ tokenId, graceMs }),
    replacedAt: row.replaced_at,
  });
}
