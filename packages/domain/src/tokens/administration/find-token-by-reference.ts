import type { Operator, Principal, Rule } from '../../access/index.ts';
import { authorize, authorized, READ_TOKENS } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { err, ok, type Result } from '../../result.ts';
import { isStorable } from '../../text.ts';
import type { Instant } from '../../time/instant.ts';
import { parseTokenId, type TokenId } from '../token.ts';
import type { TokenNotFound, TokenRepository } from '../token-repository.ts';
import { type TokenDetails, tokenState, tokenStatus } from './token-status.ts';

/** Finds the token with this id if the rule allows the caller to act on it; another account's token is not found. */
export async function findToken(
  tokens: TokenRepository,
  caller: Principal | Operator,
  rule: Rule,
  id: TokenId,
): Promise<Result<TokenDetails, TokenNotFound>> {
  const token = await tokens.find(id);
  return token && authorize(caller, rule, token).ok ? ok(token) : err({ code: 'token_not_found' });
}

/**
 * Finds one token by its id or, for an API token, by its name. A name refers to the only live token with it or, if
 * none is live, to the only token with it. Text that is an id is never a name. A token of another account is not
 * found.
 */
export const findTokenByReference = authorized(
  READ_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller, reference: string) => {
      const now = clock.now();
      const found = await findEntries(tokens, caller, reference, now);
      if (!found.ok) return found;
      const entry = only(found.value, now);
      return entry.ok ? ok(tokenStatus(entry.value, now)) : entry;
    },
);

const MAX_CANDIDATES = 50;

/** The tokens that a reference can mean: one by id; by name the live ones or, if none is live, all with the name. */
export async function findEntries(
  tokens: TokenRepository,
  caller: Principal | Operator,
  reference: string,
  now: Instant,
): Promise<Result<readonly TokenDetails[], TokenNotFound>> {
  const id = parseTokenId(reference);
  if (id !== undefined) {
    const found = await findToken(tokens, caller, READ_TOKENS, id);
    return found.ok ? ok([found.value]) : found;
  }
  // No token has such a name, and the database would refuse the query.
  if (!isStorable(reference)) return ok([]);
  const accountId = caller.kind === 'operator' ? undefined : caller.accountId;
  const query = { name: reference, kind: 'api', accountId, now, limit: MAX_CANDIDATES + 1 } as const;
  const [active, replaced] = await Promise.all([
    tokens.list({ ...query, state: 'active' }),
    tokens.list({ ...query, state: 'being_replaced' }),
  ]);
  const live = [...active, ...replaced];
  return ok(live.length > 0 ? live : await tokens.list(query));
}

/**
 * Returns the entry if there is exactly one. If several tokens have the name, only an id distinguishes them: the error
 * has at most 50 candidates, live tokens if there are any, otherwise the oldest, and tells whether there are more.
 */
export function only(entries: readonly TokenDetails[], now: Instant) {
  const [first] = entries;
  if (!first) return err({ code: 'token_not_found' });
  if (entries.length === 1) return ok(first);
  const candidates = entries
    .slice(0, MAX_CANDIDATES)
    .map((entry) => ({ id: entry.id, creator: entry.user.email, state: tokenState(entry, now) }));
  return err({ code: 'ambiguous_token_name', candidates, more: entries.length > MAX_CANDIDATES });
}
