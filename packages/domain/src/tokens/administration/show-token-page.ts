import { authorized, READ_TOKENS } from '../../access/index.ts';
import { type ToldEntry, toldTo } from '../../audit/told-entry.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import type { TokenId } from '../token.ts';
import type { TokenUsageWithAddresses } from '../usage/token-usage.ts';
import { findTokenWithRotation, type TokenWithRotation } from './find-token-with-rotation.ts';

/** A token with everything that its page shows, as the caller may see it. */
export interface TokenPage extends TokenWithRotation {
  readonly usage: TokenUsageWithAddresses;
  /** The newest events, newest first. */
  readonly history: readonly ToldEntry[];
  /** Whether there are older events. */
  readonly hasOlderEvents: boolean;
}

/** Shows one token, with its rotation and its last events, in three reads. Another account's token is not found. */
export const showTokenPage = authorized(
  READ_TOKENS,
  ({ tokens, audit, clock }: Ports<'tokens' | 'audit' | 'clock'>) =>
    async (caller, { id, events }: { readonly id: TokenId; readonly events: number }) => {
      const found = await findTokenWithRotation({ tokens, clock }, caller, id);
      if (!found.ok) return found;
      const [usage, history] = await Promise.all([
        tokens.findUsage(id),
        audit.list({ subject: { type: 'token', id }, limit: events + 1 }),
      ]);
      return ok<TokenPage>({
        ...found.value,
        usage,
        history: history.slice(0, events).map((entry) => toldTo(caller, entry)),
        hasOlderEvents: history.length > events,
      });
    },
);
