import type { AuditEvent } from '../audit/audit-event.ts';
import { formatInstant } from '../time/instant.ts';
import type { Revocation, Token } from './token.ts';

type TokenEvent = Omit<AuditEvent, 'actor' | 'origin'>;

export function tokenCreated(token: Token): TokenEvent {
  return {
    at: token.createdAt,
    action: 'token.created',
    subject: { type: 'token', id: token.id },
    accountId: token.accountId,
    details: {
      name: token.name,
      kind: token.kind,
      format: token.format,
      scopes: token.scopes,
      user_id: token.userId,
      expires_at: token.expiresAt === null ? null : formatInstant(token.expiresAt),
    },
  };
}

export function tokenRevoked(token: Token, { at, reason }: Revocation): TokenEvent {
  return {
    at,
    action: 'token.revoked',
    subject: { type: 'token', id: token.id },
    accountId: token.accountId,
    details: { name: token.name, reason },
  };
}
