import type { FoundNames, NamesQuery } from '../../src/audit/index.ts';
import { emailKey } from '../../src/users/index.ts';
import type { State } from './state.ts';

/** Finds users and API tokens by parts of their names: users in the order of their ids, the newest tokens first. */
export function findNamed(state: State, { accountId, user, token, limit }: NamesQuery): FoundNames {
  const isOfAccount = (each: { readonly accountId: unknown }) =>
    each.accountId === (accountId ?? each.accountId);

  function usersCalled(part: string) {
    const all = [...state.users.values()].filter(isOfAccount);
    const exact = all.filter(({ email }) => emailKey(email) === emailKey(part));
    if (exact.length > 0) return exact;
    return all.filter(({ name, email }) => contains(name, part) || contains(email, part));
  }

  function tokensCalled(part: string) {
    const all = [...state.tokens.values()].filter((each) => isOfAccount(each) && each.kind === 'api');
    const exact = all.filter(({ id }) => id === part.toLowerCase());
    if (exact.length > 0) return exact;
    return all
      .filter(({ name }) => contains(name, part))
      .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  }

  return {
    users:
      user === undefined
        ? undefined
        : usersCalled(user)
            .slice(0, limit)
            .map(({ id }) => id),
    tokens:
      token === undefined
        ? undefined
        : tokensCalled(token)
            .slice(0, limit)
            .map(({ id }) => id),
  };
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
