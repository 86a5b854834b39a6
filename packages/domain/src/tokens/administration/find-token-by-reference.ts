import {
  authorize,
  authorized,
  type Operator,
  type Principal,
  READ_TOKENS,
  type Rule,
} from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { err, ok, type Result } from '../../result.ts';
import { isStorable } from '../../text.ts';
import type { Instant } from '../../time/instant.ts';
import { parseTokenId, type TokenId } from '../token.ts';
import type { TokenNotFound, TokenRepository } from '../token-repository.ts';
import {
  isAcceptedIn,
  type TokenDetails,
  type TokenStatus,
  tokenState,
  tokenStatus,
} from './token-status.ts';

/**
 * Finds the token with this id. Returns `token_not_found` if the token does not exist, or if the rule does not allow
 * the caller to access it.
 */
export async function findToken(
  tokens: TokenRepository,
  caller: Principal | Operator,
  rule: Rule,
  id: TokenId,
): Promise<Result<TokenDetails, TokenNotFound>> {
  const token = await tokens.find(id);
  return token && authorize(caller, rule, token).ok ? ok(token) : err({ code: 'token_not_found' });
}

/** A token, and the still accepted tokens that it replaced or that replaced it. */
export interface ReferencedToken extends TokenStatus {
  /** The accepted tokens that this token replaced, or that replaced this token, newest first. */
  readonly alsoLive: readonly TokenStatus[];
}

/**
 * Finds one token by its id, or one API token by its name. Ended tokens with this name are ignored if an accepted token
 * has the name. Of several tokens that replaced each other, the newest is found. If several tokens remain, the name is
 * ambiguous, which is an error. A text that has the form of an id is never read as a name. A token of another account
 * is not found.
 */
export const findTokenByReference = authorized(
  READ_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller, reference: string) => {
      const now = clock.now();
      const found = await findReferenced(tokens, caller, reference, now);
      if (!found.ok) return found;
      const alsoLive = await liveRotationsOf(tokens, found.value, now);
      return ok<ReferencedToken>({ ...tokenStatus(found.value, now), alsoLive });
    },
);

const MAX_CANDIDATES = 50;

/** Finds the token that a reference (an id or a name) means. */
export async function findReferenced(
  tokens: TokenRepository,
  caller: Principal | Operator,
  reference: string,
  now: Instant,
) {
  const id = parseTokenId(reference);
  if (id !== undefined) return findToken(tokens, caller, READ_TOKENS, id);
  // No token can have a name that the database cannot store, and a query for that name would fail.
  if (!isStorable(reference)) return err({ code: 'token_not_found' });
  const accountId = caller.kind === 'operator' ? undefined : caller.accountId;
  const query = { name: reference, kind: 'api', accountId, now, limit: MAX_CANDIDATES + 1 } as const;
  const [active, replaced] = await Promise.all([
    tokens.list({ ...query, state: 'active' }),
    tokens.list({ ...query, state: 'being_replaced' }),
  ]);
  const live = [...active, ...replaced];
  return only(tokens, live.length > 0 ? live : await tokens.list(query), now);
}

/**
 * Of several tokens with the same name, returns the token that replaced all others. Returns a single token itself. If
 * several tokens remain, the name is ambiguous: the error lists the first 50 of them as candidates, and says whether
 * there are more.
 */
async function only(tokens: TokenRepository, entries: readonly TokenDetails[], now: Instant) {
  const more = entries.length > MAX_CANDIDATES;
  const [newest, another] = entries.length > 1 && !more ? await withoutReplaced(tokens, entries) : entries;
  if (!newest) return err({ code: 'token_not_found' });
  if (!another) return ok(newest);
  const candidates = entries
    .slice(0, MAX_CANDIDATES)
    .map((entry) => ({ id: entry.id, creator: entry.user.email, state: tokenState(entry, now) }));
  return err({ code: 'ambiguous_token_name', candidates, more });
}

/** Leaves out each token that another token in `entries` replaced, directly or through a chain of rotations. */
async function withoutReplaced(tokens: TokenRepository, entries: readonly TokenDetails[]) {
  const replaced = await Promise.all(entries.map((each) => olderRotationsOf(tokens, each)));
  const ids = new Set(replaced.flat().map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

/**
 * The largest number of rotations that are followed from a token to the tokens that it replaced. Tokens that were
 * replaced earlier are left out.
 */
const MAX_STEPS = 10;

/**
 * Returns the accepted tokens that this token replaced, or that replaced this token, newest first. The search does not
 * stop at a token that has ended, because that token may have replaced a token that is still accepted.
 */
async function liveRotationsOf(
  tokens: Pick<TokenRepository, 'find'>,
  token: TokenDetails,
  now: Instant,
): Promise<readonly TokenStatus[]> {
  const newer = await follow(tokens, token, ({ successor }) => successor);
  const older = await olderRotationsOf(tokens, token);
  return [...newer.toReversed(), ...older]
    .map((each) => tokenStatus(each, now))
    .filter(({ state }) => isAcceptedIn(state));
}

/**
 * Returns the predecessors of this token: the token that it replaced, then the predecessor of that token, and so on.
 */
function olderRotationsOf(
  tokens: Pick<TokenRepository, 'find'>,
  token: TokenDetails,
): Promise<readonly TokenDetails[]> {
  return follow(tokens, token, ({ replaces }) => replaces?.tokenId ?? null);
}

async function follow(
  tokens: Pick<TokenRepository, 'find'>,
  from: TokenDetails,
  nextOf: (token: TokenDetails) => TokenId | null,
): Promise<readonly TokenDetails[]> {
  const found: TokenDetails[] = [];
  for (let next = nextOf(from); next !== null && found.length < MAX_STEPS; ) {
    const token = await tokens.find(next);
    if (!token) break;
    found.push(token);
    next = nextOf(token);
  }
  return found;
}
