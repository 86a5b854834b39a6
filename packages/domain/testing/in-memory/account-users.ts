import type { Instant } from '../../src/time/index.ts';
import { isLive } from '../../src/tokens/index.ts';
import {
  type AccountUserQuery,
  canReceiveTokens,
  emailKey,
  type ListedUser,
  MAX_TOKENS_COUNTED,
  type User,
  type UserId,
  type UserKind,
  type UserRepository,
} from '../../src/users/index.ts';
import type { State } from './state.ts';

export function isFoundBy({ email, name }: User, search: string | undefined): boolean {
  if (search === undefined) return true;
  const text = search.toLowerCase();
  const isWord = ` ${name.toLowerCase()}`.includes(` ${text}`);
  return isWord || emailKey(email).startsWith(emailKey(search));
}

/** The reads of users for the pages of an admin. */
export function accountUsers(
  state: State,
): Pick<UserRepository, 'listOfAccount' | 'findDetails' | 'findDisableFacts'> {
  function lastSignInOf(id: UserId): Instant | null {
    const signIn = state.events.findLast(
      ({ actor, action, details }) =>
        actor.kind === 'user' &&
        actor.id === id &&
        (action === 'session.created' || (action === 'token.created' && details.kind === 'sign-in')),
    );
    return signIn?.at ?? null;
  }
  function listed(user: User, at: Instant): ListedUser {
    const tokens = [...state.tokens.values()].filter(
      (token) => token.userId === user.id && token.kind === 'api' && isLive(token, at),
    );
    const liveTokens = Math.min(tokens.length, MAX_TOKENS_COUNTED + 1);
    return { user, lastSignInAt: lastSignInOf(user.id), liveTokens };
  }

  return {
    async listOfAccount(query) {
      const { accountId, cursor, limit, countLimit, now } = query;
      const selected = [...state.users.values()]
        .filter((user) => user.accountId === accountId && isSelected(user, query))
        .toSorted((one, other) => compare(query, one, other));
      const backwards = cursor !== undefined && 'before' in cursor;
      const from = cursor && ('before' in cursor ? cursor.before : cursor.after);
      const beyond = selected.filter((user) => {
        if (from === undefined) return true;
        const place = compare(query, user, { id: from.id, name: from.value });
        return backwards ? place < 0 : place > 0;
      });
      const users = backwards ? beyond.slice(-limit) : beyond.slice(0, limit);
      const total = users.length === 0 ? 0 : Math.min(selected.length, countLimit);
      return { users: users.map((user) => listed(user, now)), more: beyond.length > limit, total };
    },

    async findDetails(id, { at, limit }) {
      const user = state.users.get(id);
      if (!user) return undefined;
      const organizations = [...state.organizations.values()]
        .filter((organization) => state.members.has(`${organization.id}/${id}`))
        .map(({ id: of, name }) => ({ id: of, name }))
        .toSorted((one, other) => byText(one.name, other.name) || one.id - other.id);
      const secondFactorAt = state.secondFactorOf(user).enrolledAt;
      const { hasPassword, breakGlassAt } = state.meansOf(id);
      const identities = [...state.identities.values()]
        .filter(({ userId }) => userId === id)
        .map(({ issuer, subject, confirmedAt }) => ({ issuer, subject, confirmedAt }));
      return {
        ...listed(user, at),
        secondFactorAt,
        hasPassword,
        breakGlassAt,
        identities,
        organizations: organizations.slice(0, limit),
      };
    },

    async findDisableFacts(id, { at, limit }) {
      const user = state.users.get(id);
      if (!user) return undefined;
      const sorted = <Item extends Named>(items: readonly Item[]) =>
        items
          .toSorted((one, other) => byText(one.name, other.name) || (one.id < other.id ? -1 : 1))
          .slice(0, limit);
      const live = [...state.tokens.values()].filter(
        (token) => token.userId === id && token.kind === 'api' && isLive(token, at),
      );
      const answered = [...state.serviceAccounts]
        .filter(([, { responsibleId }]) => responsibleId === id)
        .flatMap(([each]) => state.users.get(each) ?? [])
        .filter(({ disabledAt }) => disabledAt === null);
      const owners = [...state.users.values()]
        .filter((each) => canReceiveTokens(user, each))
        .map(({ id: of, kind, role, name, email }) => ({ id: of, kind, role, name, email }));
      const ofKind = (kind: UserKind) => sorted(owners.filter((each) => each.kind === kind));
      return {
        user,
        liveTokens: Math.min(live.length, MAX_TOKENS_COUNTED + 1),
        tokens: sorted(live.map(({ id: of, name }) => ({ id: of, name }))),
        serviceAccounts: sorted(answered.map(({ id: of, name }) => ({ id: of, name }))),
        owners: [...ofKind('person'), ...ofKind('service')].slice(0, limit),
      };
    },
  };
}

function isSelected(user: User, { search, role, kind, isDisabled }: AccountUserQuery): boolean {
  return (
    isFoundBy(user, search) &&
    (role === undefined || user.role === role) &&
    (kind === undefined || user.kind === kind) &&
    (isDisabled === undefined || (user.disabledAt !== null) === isDisabled)
  );
}

type Placed = Pick<User, 'id' | 'name'>;
type Named = { readonly id: number | string; readonly name: string };

function compare({ order }: Pick<AccountUserQuery, 'order'>, one: Placed, other: Placed): number {
  return order === 'newest' ? other.id - one.id : byText(one.name, other.name) || one.id - other.id;
}

function byText(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b ? 0 : a < b ? -1 : 1;
}
