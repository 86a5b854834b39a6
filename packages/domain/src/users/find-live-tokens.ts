import type { AccessDenied } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { TOKEN_KINDS } from '../tokens/token.ts';
import { type TokenReport, type TokenState, tokenReport } from '../tokens/token-report.ts';
import type { TokenRepository } from '../tokens/token-repository.ts';
import { findManaged } from './find-user.ts';
import type { User } from './user.ts';
import type { UserNotFound, UserRepository } from './user-repository.ts';

export interface FindLiveTokensPorts {
  readonly users: UserRepository;
  readonly tokens: Pick<TokenRepository, 'list'>;
  readonly clock: Clock;
}

/** A user, and the tokens that end with a disabling. */
export interface UserWithTokens {
  readonly user: User;
  /** API tokens first. */
  readonly tokens: readonly TokenReport[];
}

export type FindLiveTokens = (
  caller: Caller,
  input: { readonly email: string; readonly limit: number },
) => Promise<Result<UserWithTokens, AccessDenied | UserNotFound>>;

/** In which a token is good, if its account is. */
const LIVE: readonly TokenState[] = ['active', 'being_replaced', 'account_suspended'];

/** Looks up a user with its tokens that are still accepted, or would be in an account that is resumed; `limit` at most. */
export function findLiveTokens({ users, tokens, clock }: FindLiveTokensPorts): FindLiveTokens {
  return async (caller, { email, limit }) => {
    const found = await findManaged(users, caller, email);
    if (!found.ok) return found;
    const { user } = found.value;
    const now = clock.now();
    const reports: TokenReport[] = [];
    for (const kind of TOKEN_KINDS) {
      for (const state of LIVE) {
        const query = { userId: user.id, kind, state, now, limit: limit - reports.length };
        const entries = query.limit > 0 ? await tokens.list(query) : [];
        reports.push(...entries.map((entry) => tokenReport(entry, now)));
      }
    }
    return ok({ user, tokens: reports });
  };
}
