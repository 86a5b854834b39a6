import type { Instant } from '../time/instant.ts';
import type { TokenRecord } from './token.ts';

interface RefusalRule {
  /** The step of an inspection that fails. */
  readonly step: string;
  /** Whether the record refuses the token at this time; absent if the reason is in the token itself. */
  readonly refuses?: (record: TokenRecord, now: Instant) => boolean;
}

/** Why a presented token is refused, in the order of the checks. This table types the pages, SQL conditions and texts. */
export const REFUSALS = {
  malformed: { step: 'spelling' },
  unknown_key: { step: 'key_known' },
  bad_signature: { step: 'signature' },
  unknown_token: { step: 'record' },
  key_mismatch: { step: 'record_key' },
  claims_mismatch: { step: 'claims' },
  key_retired: { step: 'key_in_use', refuses: ({ keyState }) => keyState === 'retired' },
  revoked: { step: 'not_revoked', refuses: ({ revocation }) => revocation !== null },
  // A token is refused from the time of its expiry on (RFC 7519 section 4.1.4).
  expired: { step: 'not_expired', refuses: ({ expiresAt }, now) => expiresAt !== null && now >= expiresAt },
  user_disabled: { step: 'user_active', refuses: ({ user }) => user.disabledAt !== null },
  account_suspended: { step: 'account_active', refuses: ({ account }) => account.suspendedAt !== null },
} as const satisfies Record<string, RefusalRule>;

type Refusals = typeof REFUSALS;

/** Why a presented token is refused. */
export type TokenRefusal = keyof Refusals;

/** Every reason for a 401: no token, or a refused one. */
export type RefusalReason = 'no_token' | TokenRefusal;

/** Why the record of a token refuses the token. Its owner may see the reason, because the token was issued here. */
export type RecordRefusal = {
  [Reason in TokenRefusal]: Refusals[Reason] extends { readonly refuses: unknown } ? Reason : never;
}[TokenRefusal];

/** All reasons, in the order in which they are checked. */
export const TOKEN_REFUSALS = Object.keys(REFUSALS) as readonly TokenRefusal[];

/** The reasons in a token's record, in the same order. */
export const RECORD_REFUSALS = TOKEN_REFUSALS.filter(isRecordRefusal);

const RECORD_RULES = RECORD_REFUSALS.map((reason) => [reason, REFUSALS[reason].refuses] as const);

/** Whether the token was issued here, so that its owner may be told the reason. */
export function isRecordRefusal(reason: RefusalReason): reason is RecordRefusal {
  return reason !== 'no_token' && 'refuses' in REFUSALS[reason];
}

/**
 * Returns the first reason why the record refuses the token at this time; undefined if none does. The result depends on the
 * time and is never cached.
 */
export function recordRefusal(record: TokenRecord, now: Instant): RecordRefusal | undefined {
  for (const [reason, refuses] of RECORD_RULES) if (refuses(record, now)) return reason;
  return undefined;
}
