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
  /** Selects tokens, in any state, whose creator is disabled or whose account is suspended. */
  readonly creatorInactive?: true | undefined;
  readonly kind?: TokenKind | undefined;
  /** Selects tokens that have this state at the query's `now`. */
  readonly state?: TokenState | undefined;
  /**
   * Whether to select tokens that are live at the query's `now`, or those that have ended: tokens that are revoked or
   * expired. Default: both.
   */
  readonly live?: boolean | undefined;
  /** The exact name. */
  readonly name?: string | undefined;
  /**
   * Selects tokens whose list of scopes has this scope. A token with `*` may do everything, but is found only by `*`.
   */
  readonly scope?: Scope | undefined;
  /** The key that signed the token. */
  readonly keyId?: KeyId | undefined;
  /**
   * Selects accepted tokens that were created before this time and have not been used since. A request whose token was
   * refused does not count as a use.
   */
  readonly unusedSince?: Instant | undefined;
  /** Selects accepted tokens whose last request was refused. */
  readonly refusedSinceUse?: true | undefined;
  /** Selects accepted tokens that never expire. */
  readonly neverExpiring?: true | undefined;
  /**
   * Selects accepted tokens that break the rules of their account or the floor: they would be accepted for too long,
   * counted from the query's `now`, or are API tokens with a scope that is not allowed.
   */
  readonly overPolicy?: true | undefined;
  /** Selects accepted tokens that expire before this time. */
  readonly expiringBefore?: Instant | undefined;
}

/** Selects one page of tokens. */
export interface TokenQuery extends TokenFilter {
  /** The time at which the states of the tokens are determined. All pages of a list have the same time. */
  readonly now: Instant;
  /** The last token of the previous page. The next page can be read even if that token has been deleted since. */
  readonly after?: Pick<Token, 'id' | 'expiresAt'> | undefined;
  /**
   * Whether the newest token is first. Default: the oldest is first. Two filters ignore this member. With
   * `expiringBefore`, the token that expires soonest is first. With `unusedSince`, the oldest token is first, because
   * most unused tokens are old.
   */
  readonly newestFirst?: boolean | undefined;
  readonly limit: number;
}
