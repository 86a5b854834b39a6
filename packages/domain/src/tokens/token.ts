import type { Scope } from '../access/rules.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import type { Actor } from '../audit/audit-event.ts';
import { type Brand, parseUuid } from '../identifiers.ts';
import type { KeyId, KeyState } from '../signing-keys/signing-key.ts';
import type { Instant } from '../time/instant.ts';
import type { User, UserId } from '../users/user.ts';
import type { TokenNetworks } from './networks/token-networks.ts';

export const TOKEN_FORMATS = ['paseto', 'jwt'] as const;

/** The format of a token. A deployment issues tokens of one format, and accepts tokens of both formats. */
export type TokenFormat = (typeof TOKEN_FORMATS)[number];

/** A lower-case UUID of version 7, so that ids sort by age. The id is also the `jti` claim of the token. */
export type TokenId = Brand<string, 'TokenId'>;

export const TOKEN_KINDS = ['api', 'sign-in'] as const;

/** `api`: created by an admin for an integration. `sign-in`: issued by POST auth.json. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** The revocation of a token: its actor, time and reason. */
export interface Revocation {
  readonly at: Instant;
  readonly by: Actor;
  readonly reason: string | null;
}

/**
 * The token that a rotation replaces, and how long that token is accepted after its successor's first use, in
 * milliseconds.
 */
export interface Replacement {
  readonly tokenId: TokenId;
  readonly graceMs: number;
}

/** The stored part of a token. The token itself is a secret and never stored. */
export interface Token {
  readonly id: TokenId;
  readonly accountId: AccountId;
  /** The user whose current rights the token has. */
  readonly userId: UserId;
  /**
   * The user to whom the token was issued, in the `sub` claim. Differs from `userId` only after the token was
   * transferred.
   */
  readonly subject: UserId;
  readonly kind: TokenKind;
  readonly name: string;
  readonly format: TokenFormat;
  readonly keyId: KeyId;
  readonly scopes: readonly Scope[];
  /** The networks from which the token may be used; null if it may be used from everywhere. */
  readonly networks: TokenNetworks | null;
  readonly createdAt: Instant;
  /**
   * The time at which the token expires; null if it never expires. This time is earlier than the expiry in the signed
   * token if an admin made it earlier, or if the token's successor was used.
   */
  readonly expiresAt: Instant | null;
  readonly revocation: Revocation | null;
  /** The token that this token replaces; null unless a rotation issued this token. */
  readonly replaces: Replacement | null;
  /** The time of the successor's first use, which also set `expiresAt`; null before that use. */
  readonly replacedAt: Instant | null;
}

/** A stored token with everything that decides whether it is accepted, from one consistent read. */
export interface TokenRecord extends Token {
  readonly user: User;
  readonly account: Account;
  readonly keyState: KeyState;
}

/** Returns when the token ended or will end, by revocation or expiry, whichever comes first. */
export function endOf({ revocation, expiresAt }: Token): Instant | null {
  if (revocation === null) return expiresAt;
  return expiresAt === null || revocation.at < expiresAt ? revocation.at : expiresAt;
}

/**
 * Returns the time from which the token is refused, unless an identity provider confirms its owner again: its expiry, or
 * the end of the confirmation if that is earlier; null if it has neither.
 */
export function acceptedUntil({ expiresAt, user }: Pick<TokenRecord, 'expiresAt' | 'user'>): Instant | null {
  const { confirmedUntil } = user;
  if (confirmedUntil === null) return expiresAt;
  return expiresAt === null || confirmedUntil < expiresAt ? confirmedUntil : expiresAt;
}

export const parseTokenId = parseUuid<TokenId>;

/** Whether the token is neither revoked nor expired, regardless of its user, account and key. */
export function isLive({ revocation, expiresAt }: Token, now: Instant): boolean {
  return revocation === null && (expiresAt === null || now < expiresAt);
}

/**
 * One day, in milliseconds. The clocks of two machines are assumed to differ by less than this. A token that expired
 * more than a day ago is refused on all machines. A token that expired within the last day may still be accepted on a
 * machine whose clock is behind.
 */
export const CLOCK_TOLERANCE_MS = 86_400_000;

/** Generates unique token ids that sort by age. Implementations pass `tokenIdGeneratorContract`. */
export interface TokenIdGenerator {
  next(): TokenId;
}
