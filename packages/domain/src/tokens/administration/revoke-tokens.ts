import { actorOf, authorized, type Principal, READ_TOKENS, REVOKE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { Ports } from '../../ports.ts';
import { err, invalid, ok } from '../../result.ts';
import { checkText } from '../../text.ts';
import type { Revocation, TokenId } from '../token.ts';
import { tokenRevoked } from '../token-events.ts';
import { tokenStatus } from './token-status.ts';

/** The largest number of tokens that one call shows or revokes: as many as a page of the list has. */
export const MAX_SELECTED_TOKENS = 50;

/**
 * Shows several tokens of the caller's account, in the order of their ids. If one of them is not a token of the account,
 * the error is `token_not_found`. An id that is given twice is shown once.
 */
export const showTokens = authorized(
  READ_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller, ids: readonly TokenId[]) => {
      const selected = selectedFrom(ids);
      if (!selected.ok) return selected;
      const found = await tokens.findSeveral(selected.value);
      const isOwn = ({ accountId }: (typeof found)[number]) =>
        caller.kind === 'operator' || accountId === caller.accountId;
      if (found.length < selected.value.length || !found.every(isOwn))
        return err({ code: 'token_not_found' });
      const now = clock.now();
      return ok(found.map((details) => tokenStatus(details, now)));
    },
);

/**
 * Permanently revokes several tokens of the caller's account in one step: all of them, or none. Tokens that had ended
 * before are left as they are, and are returned with `already: true`. If one of the tokens is not a token of the
 * account, nothing is revoked, and the error is `token_not_found`.
 */
export const revokeTokens = authorized(
  REVOKE_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (
      caller: Principal,
      { ids, reason }: { readonly ids: readonly TokenId[]; readonly reason: string | null },
    ) => {
      const selected = selectedFrom(ids);
      if (!selected.ok) return selected;
      const explained = checkText('reason', reason ?? '', 500);
      if (!explained.ok) return explained;
      const revocation: Revocation = { at: clock.now(), by: actorOf(caller), reason };
      return tokens.revokeSeveral(selected.value, caller.accountId, revocation, (token) =>
        eventBy(caller, tokenRevoked(token, revocation)),
      );
    },
);

function selectedFrom(ids: readonly TokenId[]) {
  const selected = [...new Set(ids)].toSorted();
  if (selected.length > 0 && selected.length <= MAX_SELECTED_TOKENS) return ok(selected);
  return invalid('ids', `must be 1 to ${MAX_SELECTED_TOKENS} tokens`);
}
