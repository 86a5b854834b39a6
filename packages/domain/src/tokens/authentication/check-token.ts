import { authorize, authorized, CHECK_TOKENS, type Principal, READ_TOKENS } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import type { TokenStatus } from '../administration/token-status.ts';
import type { TokenRefusal } from '../refusal-reasons.ts';
import type { TokenId } from '../token.ts';
import { type TraceTokenPorts, traceToken } from './trace-token.ts';

/** A token whose text a user pasted, and whether servers would accept it now. */
export interface CheckedToken extends TokenStatus {
  /** Why servers refuse the token; null if they accept it. */
  readonly refusal: TokenRefusal | null;
}

/** The id of no token: a UUID of version 7 whose random bits are all 0. */
const NO_TOKEN = '00000000-0000-7000-8000-000000000000' as TokenId;

/**
 * Says to whom the text of a token belongs, and whether servers would accept the token now. Admins check the tokens of
 * their account, and members their own.
 *
 * Every other text is `token_not_found`, whether it is no token, a forgery, or a token that the caller may not see.
 * Each of these reads one record, so that neither the answer nor the time that it takes distinguishes them. The check
 * does not count as a use of the token.
 */
export const checkToken = authorized(
  CHECK_TOKENS,
  (ports: TraceTokenPorts) => async (caller: Principal, text: string) => {
    const { caller: decision, verified, report } = await traceToken(ports, text, caller.origin);
    if (!verified) await ports.tokens.find(NO_TOKEN);
    if (!report || !maySee(caller, report)) return err({ code: 'token_not_found' });
    return ok<CheckedToken>({ ...report, refusal: decision.kind === 'refused' ? decision.reason : null });
  },
);

const maySee = (caller: Principal, token: TokenStatus) =>
  token.user.id === caller.userId || authorize(caller, READ_TOKENS, token).ok;
