import type { Scope } from '../../access/index.ts';
import type { AccountId } from '../../accounts/account.ts';
import type { KeyId } from '../../signing-keys/signing-key.ts';
import type { Instant } from '../../time/instant.ts';
import type { UserId } from '../../users/user.ts';
import type { Token, TokenKind } from '../token.ts';
import type { TokenState } from './token-status.ts';

/** Selects tokens. Filters are combined with AND; without a filter, all tokens are selected. */
export interface TokenFilter {
  readonly accountId?: AccountId | undefined;
  /** The creator, whose current rights the token has. */
  readonly userId?: UserId | undefined;
  /** Tokens whose creator is disabled or whose account is suspended, in any state. */
  readonly creatorInactive?: true | undefined;
  readonly kind?: TokenKind | undefined;
  /** The state that `tokenState` returns for the query's `now`. */
  readonly state?: TokenState | undefined;
  /** The exact name. */
  readonly name?: string | undefined;
  /** Selects tokens that list this scope. A token with `*` lists only `*`. */
  readonly scope?: Scope | undefined;
  /** The key that signed the token. */
  readonly keyId?: KeyId | undefined;
  /** Accepted tokens that were created before this time and not used since. A refusal does not count as a use. */
  readonly unusedSince?: Instant | undefined;
  /** Accepted tokens whose last refusal is later than their last use. */
  readonly refusedSinceUse?: true | undefined;
  /** Accepted tokens without an expiry. */
  readonly neverExpiring?: true | undefined;
  /** Accepted tokens that expire before this time. */
  readonly expiringBefore?: Instant | undefined;
}

/** Selects one page of tokens. */
export interface TokenQuery extends TokenFilter {
  /** The time that states refer to, the same for all pages of a list. */
  readonly now: Instant;
  /** The last token of the previous page; it may have been deleted since. */
  readonly after?: Pick<Token, 'id' | 'expiresAt'> | undefined;
  /**
   * Sorts by age, newest first. Default: oldest first. Ignored with `expiringBefore`, which sorts by expiry, soonest first, and
   * with `unusedSince`, which sorts oldest first because few of its tokens are young.
   */
  readonly newestFirst?: boolean | undefined;
  readonly limit: number;
}
