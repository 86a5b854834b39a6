import { err, ok } from '../../src/index.ts';
import { isLive, type TokenRepository } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

export function revokeTokens(state: State): TokenRepository['revokeSeveral'] {
  return async (ids, accountId, revocation, audit) => {
    if (!state.actorMayAct({ actor: revocation.by, accountId })) return err({ code: 'not_allowed' });
    const found = ids.toSorted().flatMap((id) => state.tokens.get(id) ?? []);
    if (found.length < ids.length || found.some((token) => token.accountId !== accountId))
      return err({ code: 'token_not_found' });
    const revoked = found.map((token) => {
      if (!isLive(token, revocation.at)) return { token, already: true };
      const ended = { ...token, revocation };
      state.tokens.set(token.id, ended);
      state.events.push(audit(token));
      return { token: ended, already: false };
    });
    return ok(revoked);
  };
}
