import type { Instant } from '../time/instant.ts';
import type { TokenRecord } from './token.ts';

interface RefusalRule {
  /** The name of the inspection step that fails for this reason. */
  readonly step: string;
  /**
   * Whether the record is a reason to refuse the token at this time. Absent if the record alone cannot show the reason.
   */
  readonly refuses?: (record: TokenRecord, now: Instant) => boolean;
}

/**
 * The reasons why a token is refused, in the order of the checks. The types of web pages, SQL conditions and messages
 * are derived from this table, so none of them compiles while it lacks a reason.
 */
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
  // Tokens of service accounts stay accepted, because no provider knows these.
  not_confirmed: {
    step: 'user_confirmed',
    refuses: ({ user }, now) => user.confirmedUntil !== null && now >= user.confirmedUntil,
  },
  // The record has the networks, and the request has the client's address (`outsideOf`).
  network_not_allowed: { step: 'network' },
} as const satisfies Record<string, RefusalRule>;

type Refusals = typeof REFUSALS;

/** Why a presented token is refused. */
export type TokenRefusal = keyof Refusals;

/**
 * Every reason for a response with status 401: the request has no token, its token is refused, or the credential of a
 * service is refused.
 */
export type RefusalReason = 'no_token' | TokenRefusal | 'credential_not_accepted';

/**
 * The reasons for a refusal that are in the record of a token. Only a token that this installation issued has a record,
 * so the token's owner may see the reason.
 */
export type RecordRefusal = {
  [Reason in TokenRefusal]: Refusals[Reason] extends { readonly refuses: unknown } ? Reason : never;
}[TokenRefusal];

/**
 * The reasons for a refusal that are recorded as usage of the token. Only a token that has a record has these reasons.
 */
export type RecordedRefusal = RecordRefusal | 'network_not_allowed';

export const isRecordedRefusal = (reason: RefusalReason): reason is RecordedRefusal =>
  reason === 'network_not_allowed' || isRecordRefusal(reason);

/** All reasons, in the order in which they are checked. */
export const TOKEN_REFUSALS = Object.keys(REFUSALS) as readonly TokenRefusal[];

/** The reasons that are in a token's record, in the order in which they are checked. */
export const RECORD_REFUSALS = TOKEN_REFUSALS.filter(isRecordRefusal);

const RECORD_RULES = RECORD_REFUSALS.map((reason) => [reason, REFUSALS[reason].refuses] as const);

/**
 * Whether the reason is in the token's record. This installation then issued the token, and its owner may see the
 * reason.
 */
export function isRecordRefusal(reason: RefusalReason): reason is RecordRefusal {
  const rules: Readonly<Partial<Record<RefusalReason, RefusalRule>>> = REFUSALS;
  return rules[reason]?.refuses !== undefined;
}

/**
 * Returns the first reason in the record to refuse the token at this time; undefined if there is none. The result
 * depends on the time, so it must not be cached.
 */
export function recordRefusal(record: TokenRecord, now: Instant): RecordRefusal | undefined {
  for (const [reason, refuses] of RECORD_RULES) if (refuses(record, now)) return reason;
  return undefined;
}
