import { authorized, READ_TOKENS } from '../access/index.ts';
import { counted } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';

/** Tokens are counted only up to this number, so that the count is quick. */
const MAX_COUNTED = 1000;

/** Counts the API tokens of the caller's account that break its rules. Refuses an operator, who has no account. */
export const countTokensOverPolicy = authorized(
  READ_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller) => {
      if (caller.kind === 'operator') return err({ code: 'not_allowed' });
      const filter = {
        accountId: caller.accountId,
        kind: 'api',
        overPolicy: true,
        now: clock.now(),
      } as const;
      return ok(counted(await tokens.count({ ...filter, limit: MAX_COUNTED + 1 }), MAX_COUNTED));
    },
);
