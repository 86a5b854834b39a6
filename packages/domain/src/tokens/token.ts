import type { Scope } from '../access/scope.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import type { Actor } from '../audit/audit-event.ts';
import type { Brand } from '../brand.ts';
import type { KeyId, KeyState } from '../signing-keys/signing-key.ts';
import type { Instant } from '../time/instant.ts';
import type { User, UserId } from '../users/user.ts';
import type { TokenFormat } from './token-format.ts';

/** A UUID (version 7, so that ids sort by age), lower case. It is the claim `jti`. */
export type TokenId = Brand<string, 'TokenId'>;

export const TOKEN_KINDS = ['api', 'sign-in'] as const;

/** `api`: created by an admin for an integration. `sign-in`: made by POST auth.json. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Who ended a token, when and why. */
export interface Revocation {
  readonly at: Instant;
  readonly by: Actor;
  readonly reason: string | null;
}

/** The token that a rotation replaces, and how long that stays good once its successor is used, in milliseconds. */
export interface Replacement {
  readonly tokenId: TokenId;
  readonly graceMs: number;
}

/** What is stored of a token. The token itself, being a secret, is stored nowhere. */
export interface Token {
  readonly id: TokenId;
  readonly accountId: AccountId;
  /** Whose current rights the token has. */
  readonly userId: UserId;
  /** The user it was issued to: the claim `sub`. Another than `userId` only after a transfer. */
  readonly subject: UserId;
  readonly kind: TokenKind;
  readonly name: string;
  readonly format: TokenFormat;
  readonly keyId: KeyId;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  /** Earlier than the token itself says, once another has replaced it. */
  readonly expiresAt: Instant | null;
  readonly revocation: Revocation | null;
  /** What a rotation made this token for; null if none did. */
  readonly replaces: Replacement | null;
  /** When the token that replaces this one was first used, which set `expiresAt`. */
  readonly replacedAt: Instant | null;
}

/** A stored token with all that decides whether it is accepted, read at one moment. */
export interface TokenRecord extends Token {
  readonly user: User;
  readonly account: Account;
  readonly keyState: KeyState;
}

/** The first moment at which the token was no longer good, or will be: revoked or expired, whichever came first. */
export function endOf({ revocation, expiresAt }: Token): Instant | null {
  if (revocation === null) return expiresAt;
  return expiresAt === null || revocation.at < expiresAt ? revocation.at : expiresAt;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function parseTokenId(text: string): TokenId | undefined {
  return UUID.test(text) ? (text as TokenId) : undefined;
}
