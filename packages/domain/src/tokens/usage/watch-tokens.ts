import { authorize, authorized, READ_TOKENS } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import type { User } from '../../users/user.ts';
import { findToken } from '../administration/find-token-by-reference.ts';
import type { Token, TokenId } from '../token.ts';
import type { TokenRepository } from '../token-repository.ts';
import type { UsageCounts } from './usage-feed.ts';

/** The number of uses and refusals of a token since its previous activity. */
export interface TokenActivity extends UsageCounts {
  readonly name: string;
  readonly creator: Pick<User, 'id' | 'email'>;
}

/** Maximum number of cached token names, a few hundred bytes each. At this number the cache is emptied. */
const REMEMBERED = 50_000;
/** Maximum number of tokens whose names and creators one read of the database returns. */
const PAGE = 1000;

/**
 * Subscribes to the uses and refusals of tokens, which are delivered when they are stored. An admin gets the tokens of
 * their account, and the operator gets all tokens; `only` limits both to the given tokens. The subscription has begun
 * when the promise resolves, and continues until it is closed. It can be iterated only once. Breaking out of the loop
 * closes it.
 */
export const watchTokens = authorized(
  READ_TOKENS,
  ({ tokens, usageFeed }: Ports<'tokens' | 'usageFeed'>) =>
    async (caller, only?: { readonly ids: readonly TokenId[] }) => {
      const wanted = only && new Set(only.ids);
      const namesOf = createNames(tokens);
      const mayRead = ({ accountId }: WatchedToken) => authorize(caller, READ_TOKENS, { accountId }).ok;

      if (wanted) {
        const known = await namesOf([...wanted]);
        for (const id of wanted) {
          const token = known.get(id);
          if (!token || !mayRead(token)) return err({ code: 'token_not_found' });
        }
      }

      const subscription = await usageFeed.listen();
      async function* activities(): AsyncGenerator<TokenActivity> {
        for await (const told of subscription) {
          const counts = wanted ? told.filter(({ tokenId }) => wanted.has(tokenId)) : told;
          for (let from = 0; from < counts.length; from += PAGE) {
            const page = counts.slice(from, from + PAGE);
            const known = await namesOf(page.map(({ tokenId }) => tokenId));
            for (const each of page) {
              const token = known.get(each.tokenId);
              if (token && mayRead(token)) yield { ...each, name: token.name, creator: token.creator };
            }
          }
        }
      }
      return ok({ [Symbol.asyncIterator]: activities, close: () => subscription.close() });
    },
);

type WatchedToken = Pick<Token, 'accountId'> & Pick<TokenActivity, 'name' | 'creator'>;

/** Looks up the names and creators of these tokens, and caches them. Unknown ids are left out. */
function createNames(tokens: TokenRepository) {
  const names = new Map<TokenId, WatchedToken>();
  return async (ids: readonly TokenId[]): Promise<ReadonlyMap<TokenId, WatchedToken>> => {
    if (names.size >= REMEMBERED) names.clear();
    const unknown = ids.filter((id) => !names.has(id));
    const records = unknown.length > 0 ? await tokens.findRecords(unknown) : [];
    for (const { id, accountId, name, user } of records) {
      names.set(id, { accountId, name, creator: { id: user.id, email: user.email } });
    }
    return names;
  };
}

/**
 * Returns a function that reads the usage of one token, with one short query each time. The returned function does not
 * authorize the caller again, so it may only be used for a few seconds. Another account's token is not found.
 */
export const watchTokenUse = authorized(
  READ_TOKENS,
  ({ tokens }: Ports<'tokens'>) =>
    async (caller, id: TokenId) => {
      const found = await findToken(tokens, caller, READ_TOKENS, id);
      return found.ok ? ok(() => tokens.findUsage(id)) : found;
    },
);
