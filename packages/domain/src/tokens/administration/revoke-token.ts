import type { AccessDenied } from '../../access/authorize.ts';
import { actorOf, type Principal } from '../../access/caller.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { InvalidInput } from '../../invalid-input.ts';
import type { Result } from '../../result.ts';
import { checkText } from '../../text.ts';
import type { Clock } from '../../time/clock.ts';
import type { Revocation, TokenId, TokenRecord } from '../token.ts';
import { tokenRevoked } from '../token-events.ts';
import type { TokenNotFound, TokenRepository } from '../token-repository.ts';
import { findToken } from './find-token.ts';

export interface RevokeTokenPorts {
  readonly tokens: TokenRepository;
  readonly clock: Clock;
}

export interface RevokedToken {
  readonly token: TokenRecord;
  /** It had been revoked before; nothing changed. */
  readonly already: boolean;
}

export type RevokeToken = (
  caller: Principal,
  input: { readonly id: TokenId; readonly reason: string | null },
) => Promise<Result<RevokedToken, AccessDenied | InvalidInput | TokenNotFound>>;

/**
 * Ends a token of the caller's account for good. Every server refuses a revoked token within milliseconds of the
 * acknowledgement; during failures, within `MAX_STALENESS_MS` (one second by default). ADR 9 names three exceptions.
 */
export function revokeToken({ tokens, clock }: RevokeTokenPorts): RevokeToken {
  return async (caller, { id, reason }) => {
    const found = await findToken(tokens, caller, 'tokens:revoke', id);
    if (!found.ok) return found;
    const explained = checkText('reason', reason ?? '', 500);
    if (!explained.ok) return explained;

    const revocation: Revocation = { at: clock.now(), by: actorOf(caller), reason };
    return tokens.revoke(id, revocation, eventBy(caller, tokenRevoked(found.value, revocation)));
  };
}
