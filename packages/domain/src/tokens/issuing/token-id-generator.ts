import type { TokenId } from '../token.ts';

/** Generates unique token ids that sort by age. Implementations pass `tokenIdGeneratorContract`. */
export interface TokenIdGenerator {
  next(): TokenId;
}
