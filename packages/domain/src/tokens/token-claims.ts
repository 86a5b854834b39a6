import type { Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { TokenId, TokenKind } from './token.ts';

/** What a signed token says. A claim is a statement to check against the record, never a right. */
export interface TokenClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: UserId;
  readonly tokenId: TokenId;
  /** Whole seconds. */
  readonly issuedAt: Instant;
  /** Whole seconds; null where the token has no expiry. */
  readonly expiresAt: Instant | null;
  readonly kind: TokenKind;
}
