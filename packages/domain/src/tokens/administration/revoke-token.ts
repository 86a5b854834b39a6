import { actorOf, authorized, type Principal, REVOKE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { Ports } from '../../ports.ts';
import { checkText } from '../../text.ts';
import type { Revocation, TokenId } from '../token.ts';
import { tokenRevoked } from '../token-events.ts';
import { findToken } from './find-token-by-reference.ts';

/**
 * Permanently revokes a token of the caller's account. After this function returns, every server refuses the token
 * within milliseconds. A server that has lost its connection to the database refuses the token within
 * `MAX_STALENESS_MS` (one second by default). ADR 9 lists the exceptions.
 */
export const revokeToken = authorized(
  REVOKE_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller: Principal, { id, reason }: { readonly id: TokenId; readonly reason: string | null }) => {
      const found = await findToken(tokens, caller, REVOKE_TOKENS, id);
      if (!found.ok) return found;
      const explained = checkText('reason', reason ?? '', 500);
      if (!explained.ok) return explained;

      const revocation: Revocation = { at: clock.now(), by: actorOf(caller), reason };
      return tokens.revoke(id, revocation, eventBy(caller, tokenRevoked(found.value, revocation)));
    },
);
