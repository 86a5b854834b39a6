import { authorize, authorized, READ_TOKENS } from '../../access/index.ts';
import { type ToldEntry, toldTo } from '../../audit/told-entry.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import type { TokenId } from '../token.ts';
import type { TokenUsageWithAddresses } from '../usage/token-usage.ts';
import { type TokenStatus, tokenStatus } from './token-status.ts';

/** A token with all that a page of it shows, as the caller may know it. */
export interface TokenPage extends TokenStatus {
  readonly usage: TokenUsageWithAddresses;
  /** The newest events, newest first. */
  readonly history: readonly ToldEntry[];
  /** Whether there are older events. */
  readonly hasOlderEvents: boolean;
  /** The token that this one replaces, and the one that replaces it; null where there is none. */
  readonly predecessor: TokenStatus | null;
  readonly replacement: TokenStatus | null;
}

/** Shows one token, with its rotation and its last events, in three reads. Another account's token is not found. */
export const showTokenPage = authorized(
  READ_TOKENS,
  ({ tokens, audit, clock }: Ports<'tokens' | 'audit' | 'clock'>) =>
    async (caller, { id, events }: { readonly id: TokenId; readonly events: number }) => {
      const found = await tokens.findWithRotation(id);
      const token = found.find((each) => each.id === id);
      if (!token || !authorize(caller, READ_TOKENS, token).ok) return err({ code: 'token_not_found' });
      const [usage, history] = await Promise.all([
        tokens.findUsage(id),
        audit.list({ subject: { type: 'token', id }, limit: events + 1 }),
      ]);
      const now = clock.now();
      const statusOf = (other: TokenId | null | undefined) => {
        const details = found.find((each) => each.id === other);
        return details ? tokenStatus(details, now) : null;
      };
      return ok<TokenPage>({
        ...tokenStatus(token, now),
        usage,
        history: history.slice(0, events).map((entry) => toldTo(caller, entry)),
        hasOlderEvents: history.length > events,
        predecessor: statusOf(token.replaces?.tokenId),
        replacement: statusOf(token.successor),
      });
    },
);
