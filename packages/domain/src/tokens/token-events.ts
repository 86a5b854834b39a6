import type { AuditEvent } from '../audit/audit-event.ts';
import { formatInstantOrNull, type Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { Successor } from './rotation/rotation.ts';
import { endOf, type Revocation, type Token } from './token.ts';

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
      expires_at: formatInstantOrNull(token.expiresAt),
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

/** The event of a deleted sign-in token, which is all that remains of it. */
export function tokenPruned(token: Token, at: Instant): TokenEvent {
  const endedAt = endOf(token);
  return {
    at,
    action: 'token.pruned',
    subject: { type: 'token', id: token.id },
    accountId: token.accountId,
    details: {
      kind: token.kind,
      user_id: token.userId,
      ended_at: formatInstantOrNull(endedAt),
    },
  };
}

/** The event of a rotated token; its successor has an event of its own. */
export function tokenRotated(token: Token, successor: Successor): TokenEvent {
  return {
    at: successor.createdAt,
    action: 'token.rotated',
    subject: { type: 'token', id: token.id },
    accountId: token.accountId,
    details: { name: token.name, successor_id: successor.id, grace_ms: successor.replaces.graceMs },
  };
}

/** The event of a token that was transferred to another admin, possibly renamed, when its owner was disabled. */
export function tokenTransferred(
  token: Token,
  { at, to, name }: { readonly at: Instant; readonly to: UserId; readonly name: string },
): TokenEvent {
  return {
    at,
    action: 'token.transferred',
    subject: { type: 'token', id: token.id },
    accountId: token.accountId,
    details: {
      name,
      ...(name !== token.name && { former_name: token.name }),
      from_user_id: token.userId,
      to_user_id: to,
    },
  };
}
