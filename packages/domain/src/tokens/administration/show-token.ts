import { authorized, READ_TOKENS } from '../../access/index.ts';
import { type ToldEntry, toldTo } from '../../audit/told-entry.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import type { TokenUsageWithAddresses } from '../usage/token-usage.ts';
import { findReferenced } from './find-token-by-reference.ts';
import { type TokenStatus, tokenStatus } from './token-status.ts';

/** A token with the addresses of its use, and its history as the caller may see it, oldest event first. */
export interface TokenWithHistory extends TokenStatus {
  readonly usage: TokenUsageWithAddresses;
  readonly history: readonly ToldEntry[];
  /** How long the token works after its successor's first use, in milliseconds; null without a successor. */
  readonly graceMs: number | null;
}

const MAX_EVENTS = 1000;

/** Shows one token, found as by `findTokenByReference`. */
export const showToken = authorized(
  READ_TOKENS,
  ({ tokens, audit, clock }: Ports<'tokens' | 'audit' | 'clock'>) =>
    async (caller, reference: string) => {
      const now = clock.now();
      const found = await findReferenced(tokens, caller, reference, now);
      if (!found.ok) return found;
      const { id, successor } = found.value;
      const subject = { type: 'token', id } as const;
      const [history, replacement, usage] = await Promise.all([
        audit.list({ subject, limit: MAX_EVENTS }),
        successor === null ? undefined : tokens.findRecord(successor),
        tokens.findUsage(id),
      ]);
      return ok({
        ...tokenStatus(found.value, now),
        usage,
        history: history.toReversed().map((event) => toldTo(caller, event)),
        graceMs: replacement?.replaces?.graceMs ?? null,
      });
    },
);
