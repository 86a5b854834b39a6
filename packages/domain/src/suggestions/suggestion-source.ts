import type { AccountId } from '../accounts/account.ts';
import type { Token } from '../tokens/token.ts';
import type { User } from '../users/user.ts';

/** Of what begins with `prefix`, exactly as it is written, at most `limit`. */
export interface SuggestionQuery {
  readonly prefix: string;
  /** Of this account only. */
  readonly accountId?: AccountId;
  readonly limit: number;
}

/**
 * What somebody may mean who has typed how it begins. Each answers in the order of what is completed; it is asked
 * at every press of a key, so it must be quick with a million tokens.
 * Implementations pass `suggestionSourceContract`.
 */
export interface SuggestionSource {
  /** The names of API tokens that are not revoked, each once. */
  tokenNames(query: SuggestionQuery): Promise<readonly string[]>;
  /** Tokens of whatever kind and state, by their ids. */
  tokens(query: SuggestionQuery): Promise<readonly Pick<Token, 'id' | 'name'>[]>;
  /** Users, by the keys of their emails: case does not matter. */
  users(query: SuggestionQuery): Promise<readonly Pick<User, 'email' | 'name'>[]>;
}
