import { authorized, READ_TOKENS } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import { findToken } from '../administration/find-token-by-reference.ts';
import type { TokenId } from '../token.ts';

/**
 * Returns a function that reads the usage of one token, with one short query each time. It does not authorize the caller
 * again, so it must not be used for more than seconds. Another account's token is not found.
 */
export const watchTokenUse = authorized(
  READ_TOKENS,
  ({ tokens }: Ports<'tokens'>) =>
    async (caller, id: TokenId) => {
      const found = await findToken(tokens, caller, READ_TOKENS, id);
      return found.ok ? ok(() => tokens.findUsage(id)) : found;
    },
);
