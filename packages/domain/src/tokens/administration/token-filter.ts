import type { AccountId } from '../../accounts/account.ts';
import type { KeyId } from '../../signing-keys/signing-key.ts';
import type { Instant } from '../../time/instant.ts';
import type { UserId } from '../../users/user.ts';
import type { Token, TokenKind } from '../token.ts';
import type { TokenState } from './token-status.ts';

/** Which tokens are meant: those of which all that is given holds; without anything given, all. */
export interface TokenFilter {
  readonly accountId?: AccountId | undefined;
  /** The creator: whose rights the token has now. */
  readonly userId?: UserId | undefined;
  /** The creator is disabled, or the account is suspended, whatever else is true of the token. */
  readonly creatorInactive?: true | undefined;
  readonly kind?: TokenKind | undefined;
  /** As `tokenState` tells it at the moment `now` of the query. */
  readonly state?: TokenState | undefined;
  /** Exactly this name. */
  readonly name?: string | undefined;
  /** The key that signed it. */
  readonly keyId?: KeyId | undefined;
  /** Still accepted, made before this moment, and not used at it or since. A refusal is no use. */
  readonly unusedSince?: Instant | undefined;
  /** Still accepted, and stays so until somebody ends it. */
  readonly neverExpiring?: true | undefined;
  /** Still accepted, and expires before this moment. */
  readonly expiringBefore?: Instant | undefined;
}

/** One page of the tokens that a filter takes. */
export interface TokenQuery extends TokenFilter {
  /** The moment for which states are told. Pages that belong together share it. */
  readonly now: Instant;
  /** The last token of the page before. It need not be there any more. */
  readonly after?: Pick<Token, 'id' | 'expiresAt'> | undefined;
  readonly limit: number;
}
