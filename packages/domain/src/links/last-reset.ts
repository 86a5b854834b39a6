import { authorized, type Principal, USE_OWN_SESSIONS } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';

/**
 * Returns when the caller's password was last reset by a link, and who made the link; undefined if it never was. A user
 * who did not ask for the link learns from it that another person used it.
 */
export const findLastPasswordReset = authorized(
  USE_OWN_SESSIONS,
  ({ resetLinks }: Ports<'resetLinks'>) =>
    async ({ userId }: Principal) =>
      ok(await resetLinks.findLastReset(userId)),
);
