import type { AccountId } from '../accounts/account.ts';
import type { Token } from '../tokens/token.ts';
import type { User } from '../users/user.ts';

/** Selects at most `limit` values that begin with exactly `prefix`. */
export interface SuggestionQuery {
  readonly prefix: string;
  /** Restricts the suggestions to this account. */
  readonly accountId?: AccountId;
  readonly limit: number;
}

/**
 * Finds values by their beginning, sorted by value. A shell asks for completions at every press of the Tab key, so the
 * search must be quick, even with a million tokens.
 * Implementations pass `suggestionSourceContract`.
 */
export interface SuggestionSource {
  /** Returns the distinct names of API tokens that are not revoked. */
  tokenNames(query: SuggestionQuery): Promise<readonly string[]>;
  /** Finds tokens of any kind and state by id. */
  tokens(query: SuggestionQuery): Promise<readonly Pick<Token, 'id' | 'name'>[]>;
  /** Finds users by email, ignoring case. */
  users(query: SuggestionQuery): Promise<readonly Pick<User, 'email' | 'name'>[]>;
}
