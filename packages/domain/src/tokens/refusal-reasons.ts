import type { Instant } from '../time/instant.ts';
import type { TokenRecord } from './token.ts';

interface RefusalRule {
  /** The step of an inspection that fails. */
  readonly step: string;
  /** Whether the token's record refuses it at this moment; absent where the token itself is wrong. */
  readonly refuses?: (record: TokenRecord, now: Instant) => boolean;
}

/** Why a presented token is refused, in the order of the checks. Pages, SQL conditions and texts are typed by this table. */
export const REFUSALS = {
  malformed: { step: 'spelling' },
  unknown_key: { step: 'key_known' },
  bad_signature: { step: 'signature' },
  unknown_token: { step: 'record' },
  key_mismatch: { step: 'record_key' },
  claims_mismatch: { step: 'claims' },
  key_retired: { step: 'key_in_use', refuses: ({ keyState }) => keyState === 'retired' },
  revoked: { step: 'not_revoked', refuses: ({ revocation }) => revocation !== null },
  // An expiry is the first moment at which the token is no longer good (RFC 7519 section 4.1.4).
  expired: { step: 'not_expired', refuses: ({ expiresAt }, now) => expiresAt !== null && now >= expiresAt },
  user_disabled: { step: 'user_active', refuses: ({ user }) => user.disabledAt !== null },
  account_suspended: { step: 'account_active', refuses: ({ account }) => account.suspendedAt !== null },
} as const satisfies Record<string, RefusalRule>;

type Refusals = typeof REFUSALS;

/** Why a presented token is refused. */
export type TokenRefusal = keyof Refusals;

/** Every reason for a 401: no token, or one that is refused. */
export type RefusalReason = 'no_token' | TokenRefusal;

/** Why a token's record does not let it be accepted: the token was issued here, so its owner may ask for the reason. */
export type RecordRefusal = {
  [Reason in TokenRefusal]: Refusals[Reason] extends { readonly refuses: unknown } ? Reason : never;
}[TokenRefusal];

export const TOKEN_REFUSALS = Object.keys(REFUSALS) as readonly TokenRefusal[];

export const RECORD_REFUSALS = TOKEN_REFUSALS.filter(isRecordRefusal);

const RECORD_RULES = RECORD_REFUSALS.map((reason) => [reason, REFUSALS[reason].refuses] as const);

export function isRecordRefusal(reason: RefusalReason): reason is RecordRefusal {
  return reason !== 'no_token' && 'refuses' in REFUSALS[reason];
}

/** The first reason for which the record refuses the token at this moment; undefined if there is none. Pure, never cached. */
export function recordRefusal(record: TokenRecord, now: Instant): RecordRefusal | undefined {
  for (const [reason, refuses] of RECORD_RULES) if (refuses(record, now)) return reason;
  return undefined;
}
