import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { eventOf } from '../audit/event-by.ts';
import type { SigningKey } from '../signing-keys/signing-key.ts';
import { formatInstant, formatInstantOrNull, type Instant } from '../time/instant.ts';
import type { Token } from '../tokens/token.ts';

/** No client and no user caused these events: a time has come. */
const BY_GATEHOUSE = { actor: { kind: 'system' }, origin: 'gatehouse' } as const;

interface ExpiringSoon {
  readonly expiresAt: Instant;
  /** The number of days that are left, rounded up. */
  readonly days: number;
  readonly usedLately: boolean;
}

export const tokenExpiresSoon = (token: Token, { expiresAt, days, usedLately }: ExpiringSoon, at: Instant) =>
  ofToken('token.expires_soon', token, at, {
    expires_at: formatInstant(expiresAt),
    days,
    used_lately: usedLately,
  });

/** `refused` tells whether the token was refused since it ended. */
export const tokenExpiredInUse = (token: Token, refused: boolean, at: Instant) =>
  ofToken('token.expired_in_use', token, at, { expires_at: formatInstantOrNull(token.expiresAt), refused });

export const tokenUnused = (token: Token, lastUsedAt: Instant | null, at: Instant) =>
  ofToken('token.unused', token, at, { last_used_at: formatInstantOrNull(lastUsedAt) });

/** The actor is the token: a request with it came from the network. */
export const tokenUsedFromNewNetwork = (token: Token, network: string, at: Instant): AuditEvent => ({
  ...ofToken('token.used_from_new_network', token, at, { network }),
  actor: { kind: 'token', id: token.id },
});

export const keyDue = ({ id, format, activatedAt }: SigningKey, at: Instant): AuditEvent => ({
  ...eventOf(at, 'key.due', { id }, { format, activated_at: formatInstantOrNull(activatedAt) }),
  ...BY_GATEHOUSE,
});

/** `tokens` is a number, or the largest number that is counted. */
export const policyExceeded = (accountId: AccountId, tokens: number, at: Instant): AuditEvent => ({
  ...eventOf(at, 'policy.exceeded', { id: accountId, accountId }, { tokens }),
  ...BY_GATEHOUSE,
});

const ofToken = (
  action: `token.${string}`,
  token: Token,
  at: Instant,
  details: AuditEvent['details'],
): AuditEvent => ({
  ...eventOf(at, action, token, { name: token.name, ...details }),
  ...BY_GATEHOUSE,
});
