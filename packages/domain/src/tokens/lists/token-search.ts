import { parseTokenId, type TokenId } from '../token.ts';
import { type AddressSearch, addressSearch } from '../usage/address-search.ts';

/**
 * The characters that separate words, as a class of a regular expression that JavaScript and PostgreSQL read in the
 * same way: control characters, spaces and punctuation. Letters and digits of all scripts belong to words.
 */
export const WORD_SEPARATORS = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000]`;

const SEPARATORS = new RegExp(`${WORD_SEPARATORS}+`, 'u');

/**
 * How many words of a search count. The names of an account's tokens are compared with each word, so a search of many
 * words would take longer than a statement may. The first words of a pasted name find its token as well as all words.
 */
export const MAX_SEARCH_WORDS = 8;

/** The parts of a search, read from its text. A token is found if any part of the search finds it. */
export interface TokenSearch {
  /** The token with this id. */
  readonly id: TokenId | undefined;
  /** Tokens that were used or refused from these addresses. */
  readonly addresses: AddressSearch | undefined;
  /**
   * Lower-case words, all different, at most `MAX_SEARCH_WORDS`. They find a token if each of them begins a word of
   * the token's name, or if each of them begins a word of its owner's name or email. Empty if the text is an id, an
   * address or has no words; then the name, or the owner's name or email, has to begin with the whole text.
   */
  readonly words: readonly string[];
  /** Whether the text has more words, which are not searched for. */
  readonly hasMoreWords: boolean;
  readonly text: string;
}

/** Reads the text of a search of tokens. Every text asks for something. */
export function tokenSearch(text: string): TokenSearch {
  const id = parseTokenId(text.toLowerCase());
  const addresses = addressSearch(text);
  const all = new Set(id === undefined && addresses === undefined ? wordsOf(text) : []);
  const words = [...all].slice(0, MAX_SEARCH_WORDS);
  return { id, addresses, words, hasMoreWords: all.size > words.length, text };
}

/** Whether a search finds tokens with this name, or tokens of a user with this name and email. */
export function isNameFound(search: TokenSearch, name: string): boolean {
  if (search.words.length === 0) return name.toLowerCase().startsWith(search.text.toLowerCase());
  const words = wordsOf(name);
  return search.words.every((asked) => words.some((word) => word.startsWith(asked)));
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '');
