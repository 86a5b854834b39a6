import type { TokenId } from './token.ts';

/** Makes token ids. Implementations pass `tokenIdGeneratorContract`: unique, and sorting by age. */
export interface TokenIdGenerator {
  next(): TokenId;
}
