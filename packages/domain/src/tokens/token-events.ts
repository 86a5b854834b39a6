import { eventOf } from '../audit/event-by.ts';
import { formatInstantOrNull, type Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { Successor } from './rotation/rotation.ts';
import { endOf, type Revocation, type Token } from './token.ts';

/** The event of an issued token, API or sign-in. */
export function tokenCreated(token: Token) {
  const { createdAt, name, kind, format, scopes } = token;
  const expiresAt = formatInstantOrNull(token.expiresAt);
  const details = { name, kind, format, scopes, user_id: token.userId, expires_at: expiresAt };
  return eventOf(createdAt, 'token.created', token, details);
}

/** The event of a token that was renamed, or whose expiry was brought forward, with the old and new values. */
export function tokenUpdated(before: Token, after: Token, at: Instant) {
  return eventOf(at, 'token.updated', after, {
    name: after.name,
    ...(after.name !== before.name && { former_name: before.name }),
    ...(after.expiresAt !== before.expiresAt && {
      expires_at: formatInstantOrNull(after.expiresAt),
      former_expires_at: formatInstantOrNull(before.expiresAt),
    }),
  });
}

/** The event of a token that an admin revoked, or that ended with its user, key or account. */
export function tokenRevoked(token: Token, { at, reason }: Revocation) {
  return eventOf(at, 'token.revoked', token, { name: token.name, reason });
}

/** The event of a deleted sign-in token. Nothing else remains of it. */
export function tokenPruned(token: Token, at: Instant) {
  const endedAt = formatInstantOrNull(endOf(token));
  return eventOf(at, 'token.pruned', token, { kind: token.kind, user_id: token.userId, ended_at: endedAt });
}

/** The event of a rotated token; its successor has an event of its own. */
export function tokenRotated(token: Token, { id, createdAt, replaces }: Successor) {
  const details = { name: token.name, successor_id: id, grace_ms: replaces.graceMs };
  return eventOf(createdAt, 'token.rotated', token, details);
}

/** The event of a token that was transferred to another admin, possibly renamed, when its owner was disabled. */
export function tokenTransferred(
  token: Token,
  { at, to, name }: { readonly at: Instant; readonly to: UserId; readonly name: string },
) {
  return eventOf(at, 'token.transferred', token, {
    name,
    ...(name !== token.name && { former_name: token.name }),
    from_user_id: token.userId,
    to_user_id: to,
  });
}
