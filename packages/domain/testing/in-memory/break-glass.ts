import type { BreakGlass } from '../../src/break-glass/index.ts';
import { err, ok } from '../../src/index.ts';
import type { Instant } from '../../src/time/index.ts';
import type { User, UserId } from '../../src/users/index.ts';
import { unlinked } from './identity-repository.ts';
import type { State, StoredMeans } from './state.ts';

export function createInMemoryBreakGlass(state: State): BreakGlass {
  function change(
    id: UserId,
    {
      already,
      means,
      record,
    }: {
      readonly already: (means: StoredMeans) => boolean;
      readonly means: Partial<StoredMeans>;
      readonly record: (user: User) => void;
    },
  ) {
    const user = state.users.get(id);
    if (user?.kind !== 'person') return err({ code: 'user_not_found' });
    if (already(state.meansOf(id))) return ok({ user, already: true });
    state.setMeans(id, means);
    record(user);
    return ok({ user, already: false });
  }
  const active = () =>
    [...state.users.values()].filter(({ kind, disabledAt }) => kind === 'person' && disabledAt === null);
  const isOpen = (until: Instant | null, at: Instant) => until !== null && until > at;
  return {
    async findGate({ id, accountId }) {
      const openUntil = state.meansOf(id).passwordOpenUntil;
      return { providerAdminAt: state.providerAdmins.get(accountId) ?? null, openUntil };
    },
    async mark(id, at, audit) {
      return change(id, {
        already: ({ breakGlassAt }) => breakGlassAt !== null,
        means: { breakGlassAt: at },
        record(user) {
          for (const identity of [...state.identities.values()])
            if (identity.userId === id) unlinked(state, user, identity, audit.unlinked);
          state.confirmedAt.delete(id);
          state.users.set(id, { ...user, confirmedUntil: null });
          state.events.push(audit.marked(user));
        },
      });
    },
    async unmark(id, audit) {
      return change(id, {
        already: ({ breakGlassAt }) => breakGlassAt === null,
        means: { breakGlassAt: null },
        record: (user) => state.events.push(audit(user)),
      });
    },
    async arm(id, until, at, audit) {
      return change(id, {
        already: ({ passwordOpenUntil }) => until === null && !isOpen(passwordOpenUntil, at),
        means: { passwordOpenUntil: until },
        record: (user) => state.events.push(audit(user)),
      });
    },
    async proveEmail(id, at, audit) {
      return change(id, {
        already: ({ emailProvedAt }) => emailProvedAt !== null,
        means: { emailProvedAt: at },
        record: (user) => state.events.push(audit(user)),
      });
    },
    async findConcerns({ at, since, limit }) {
      const users = active();
      const first = <T>(all: readonly T[]) => all.slice(0, limit);
      const meansOf = ({ id }: User) => state.meansOf(id);
      const isMarked = (user: User) => meansOf(user).breakGlassAt !== null;
      const conflictOf = ({ id }: User) => state.conflicts.get(id);
      return {
        armed: first(
          users.flatMap((user) => {
            const until = meansOf(user).passwordOpenUntil;
            return until !== null && until > at ? [{ user, until }] : [];
          }),
        ),
        withoutPassword: first(users.filter((user) => isMarked(user) && !meansOf(user).hasPassword)),
        otherIdentities: first(users.filter((user) => (conflictOf(user)?.otherIdentityAt ?? 0) >= since)),
        keptAdmins: first(users.filter((user) => user.role === 'admin' && conflictOf(user)?.demotionAt)),
        withoutBreakGlass: first(
          [...state.accounts.values()].filter(
            ({ id }) =>
              state.providerAdmins.has(id) &&
              !users.some((user) => user.accountId === id && user.role === 'admin' && isMarked(user)),
          ),
        ),
      };
    },
  };
}
