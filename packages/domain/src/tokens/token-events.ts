import { eventOf } from '../audit/event-by.ts';
import { formatInstantOrNull, type Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { TokenDetails } from './administration/token-status.ts';
import { networkTexts, type TokenNetworks } from './networks/token-networks.ts';
import type { Successor } from './rotation/rotation.ts';
import { endOf, type Revocation, type Token } from './token.ts';

/** The event of an issued API token or sign-in token. */
export function tokenCreated(token: Token, description: string | null = null) {
  const { createdAt, name, kind, format, scopes } = token;
  const expiresAt = formatInstantOrNull(token.expiresAt);
  const details = {
    name,
    kind,
    format,
    scopes,
    user_id: token.userId,
    expires_at: expiresAt,
    ...(description !== null && { description }),
    ...(token.networks !== null && networkDetails(token.networks)),
  };
  return eventOf(createdAt, 'token.created', token, details);
}

/**
 * The event of a token that was renamed, whose expiry was made earlier, or whose description was changed. It has the
 * old and the new name and expiry, and the new description.
 */
export function tokenUpdated(before: TokenDetails, after: TokenDetails, at: Instant) {
  return eventOf(at, 'token.updated', after, {
    name: after.name,
    ...(after.name !== before.name && { former_name: before.name }),
    ...(after.expiresAt !== before.expiresAt && {
      expires_at: formatInstantOrNull(after.expiresAt),
      former_expires_at: formatInstantOrNull(before.expiresAt),
    }),
    ...(after.description !== before.description && { description: after.description }),
  });
}

/** The event of a token whose networks were set or removed. It has the networks before and after. */
export function tokenNetworksSet(before: Token, after: Token, at: Instant) {
  const { networks_mode: mode, networks } = networkDetails(after.networks);
  const { networks_mode: formerMode, networks: former } = networkDetails(before.networks);
  return eventOf(at, 'token.networks_set', after, {
    name: after.name,
    networks_mode: mode,
    networks,
    former_networks_mode: formerMode,
    former_networks: former,
  });
}

/** The mode `off` stands for a token without networks. */
const networkDetails = (networks: TokenNetworks | null) => ({
  networks_mode: networks?.mode ?? 'off',
  networks: networks === null ? [] : networkTexts(networks),
});

/** The event of a token whose expiry was made earlier by the rules of the account, or by the floor. */
export function tokenShortened(token: Token, expiresAt: Instant, at: Instant) {
  return eventOf(at, 'token.updated', token, {
    name: token.name,
    expires_at: formatInstantOrNull(expiresAt),
    former_expires_at: formatInstantOrNull(token.expiresAt),
    reason: 'the rules of the account',
  });
}

/**
 * The event of a revoked token. An admin revoked the token, or Gatehouse revoked it because of another change, such as
 * the retirement of its key.
 */
export function tokenRevoked(token: Token, { at, reason }: Revocation) {
  return eventOf(at, 'token.revoked', token, { name: token.name, reason });
}

/** The event of a sign-in token whose record is deleted. */
export function tokenPruned(token: Token, at: Instant) {
  const endedAt = formatInstantOrNull(endOf(token));
  return eventOf(at, 'token.pruned', token, { kind: token.kind, user_id: token.userId, ended_at: endedAt });
}

/** The event of a token that a rotation replaces. The successor has its own event, `token.created`. */
export function tokenRotated(token: Token, { id, createdAt, replaces }: Successor) {
  const details = { name: token.name, successor_id: id, grace_ms: replaces.graceMs };
  return eventOf(createdAt, 'token.rotated', token, details);
}

/**
 * The event of a token that got another owner: an admin gave it, or its owner was disabled. `name` is its name after
 * the transfer.
 */
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
