import { type AccessDenied, authorize } from '../access/authorize.ts';
import { actorOf, type Principal } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { err, type Result } from '../result.ts';
import { type InvalidInput, invalidInput } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import type { Grant, Revocation, TokenId } from './token.ts';
import { tokenRevoked } from './token-events.ts';
import type { TokenNotFound, TokenRepository } from './token-repository.ts';

export interface RevokeTokenPorts {
  readonly tokens: TokenRepository;
  readonly clock: Clock;
}

export interface RevokedToken {
  readonly grant: Grant;
  /** It had been revoked before; nothing changed. */
  readonly already: boolean;
}

export type RevokeToken = (
  caller: Principal,
  input: { readonly id: TokenId; readonly reason: string | null },
) => Promise<Result<RevokedToken, AccessDenied | InvalidInput | TokenNotFound>>;

/** Ends a token of the caller's account for good. When it answers, no node accepts the token any more. */
export function revokeToken({ tokens, clock }: RevokeTokenPorts): RevokeToken {
  return async (caller, { id, reason }) => {
    const allowed = authorize(caller, 'tokens:revoke');
    if (!allowed.ok) return allowed;
    if (reason !== null && (reason.length > 500 || reason.includes('\u0000') || !reason.isWellFormed())) {
      return err(
        invalidInput({ field: 'reason', message: 'must be at most 500 characters long, without U+0000' }),
      );
    }
    const grant = await tokens.findGrant(id);
    if (!grant) return err({ code: 'token_not_found' });
    const { accountId } = grant.token;
    const owned = authorize(caller, 'tokens:revoke', { accountId, isMember: false });
    if (!owned.ok) return err({ code: 'token_not_found' });

    const revocation: Revocation = { at: clock.now(), by: actorOf(caller), reason };
    return tokens.revoke(id, revocation, eventBy(caller, tokenRevoked(grant.token, revocation)));
  };
}
