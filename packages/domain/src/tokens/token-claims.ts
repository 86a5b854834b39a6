import type { Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';
import type { TokenId, TokenKind } from './token.ts';

/** The claims of a signed token. They are checked against the record and grant nothing by themselves. */
export interface TokenClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: UserId;
  readonly tokenId: TokenId;
  /** Whole seconds. */
  readonly issuedAt: Instant;
  /** Whole seconds; null without an expiry. */
  readonly expiresAt: Instant | null;
  readonly kind: TokenKind;
}
