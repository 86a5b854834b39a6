import type { AccountId } from '../../accounts/account.ts';
import type { Instant } from '../../time/instant.ts';
import type { TokenFilter } from '../administration/token-filter.ts';
import type { TokenDetails } from '../administration/token-status.ts';
import type { Token, TokenId } from '../token.ts';
import type { TokenUsageWithAddresses } from '../usage/token-usage.ts';
import type { TokenCursor, TokenOrder } from './token-order.ts';

/** `active`: tokens that are accepted. `ended`: tokens that are refused, for any reason. */
export const TOKEN_SECTIONS = ['active', 'ended'] as const;

export type TokenSection = (typeof TOKEN_SECTIONS)[number];

/** Selects one page of one account's API tokens; filters are combined with AND. */
export interface AccountTokenQuery extends Omit<TokenFilter, 'userId' | 'kind' | 'name' | 'keyId'> {
  readonly accountId: AccountId;
  readonly section: TokenSection;
  /** The creator's email as the user typed it. `UserRepository.findByEmail` defines which user has this email. */
  readonly creator?: string | undefined;
  /**
   * The text of a search, which `tokenSearch` reads: words of the token's name or of its creator's name or email, an IP
   * address or a network, or the token's id.
   */
  readonly search?: string | undefined;
  readonly order: TokenOrder;
  /** Selects the page after or before a position in the sorted list. Default: the first page. */
  readonly cursor?: { readonly after: TokenCursor } | { readonly before: TokenCursor } | undefined;
  readonly limit: number;
  /** Counts stop at this number. */
  readonly countLimit: number;
  /** The time at which the states of the tokens are determined. */
  readonly now: Instant;
}

/** The addresses of a token's uses and refusals that match a search, newest first. */
export type FoundAddresses = Pick<TokenUsageWithAddresses, 'usedFrom' | 'refusedFrom'>;

export interface AccountTokenPage {
  readonly tokens: readonly TokenDetails[];
  /** For each token, the addresses that match the search. A token without matching addresses is absent. */
  readonly foundAddresses: ReadonlyMap<TokenId, FoundAddresses>;
  /** Whether there are more tokens after this page or, for a page before a cursor, before this page. */
  readonly more: boolean;
  /** The number of tokens that the filters select, up to `countLimit`. */
  readonly total: number;
  /** The number of the account's tokens in each section, up to `countLimit`. */
  readonly counts: Readonly<Record<TokenSection, number>>;
}

/**
 * Why a token needs attention: it expires soon, was unused for long, was refused since its last use, breaks the rules
 * of the account, or is refused because its creator is disabled.
 */
export const ATTENTION_KINDS = [
  'expiring',
  'unused',
  'refusedSinceUse',
  'overPolicy',
  'creatorInactive',
] as const;

export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface AttentionQuery {
  readonly accountId: AccountId;
  readonly expiringBefore: Instant;
  readonly unusedSince: Instant;
  /** Counts stop at this number. */
  readonly countLimit: number;
  /** Maximum number of returned tokens of each kind. */
  readonly limit: number;
  readonly now: Instant;
}

/** The number of tokens that need attention for one reason, and up to `limit` of these tokens. */
export interface Attention {
  readonly count: number;
  readonly first: readonly Pick<Token, 'id' | 'name'>[];
}

export type Attentions = Readonly<Record<AttentionKind, Attention>>;
