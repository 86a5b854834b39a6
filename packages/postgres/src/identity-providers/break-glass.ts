import { err, ok } from '@gatehouse/domain';
import type { AuditEvent } from '@gatehouse/domain/audit';
import type { BreakGlass } from '@gatehouse/domain/break-glass';
import { formatInstantOrNull, type Instant } from '@gatehouse/domain/time';
import type { User, UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockUser } from '../database/statements/row-locks.ts';
import { deleteIdentity, selectIdentities } from './identity-repository.ts';
import { findConcerns } from './sign-in-concerns.ts';
import { readMeans } from './sign-in-means.ts';

type Means = NonNullable<Awaited<ReturnType<typeof readMeans>>>;
type Column = 'email_proved_at' | 'break_glass_at' | 'password_open_until';

/** Creates the port with which an operator decides about sign-ins of persons, in PostgreSQL. */
export function createPostgresBreakGlass({ queries }: Database): BreakGlass {
  /** Sets one fact about a person, unless it is set already. */
  function change(
    id: UserId,
    [column, value]: readonly [Column, Instant | null],
    already: (means: Means) => boolean,
    record: (tx: Queries, user: User) => Promise<readonly AuditEvent[]>,
  ) {
    return commitDurably(queries, async (tx) => {
      const user = await lockUser(tx, id);
      const means = await readMeans(tx, id);
      if (!user || !means) return err({ code: 'user_not_found' });
      if (already(means)) return ok({ user, already: true });
      const fact = { [column]: formatInstantOrNull(value) };
      await tx
        .insertInto('sign_in_means')
        .values({ user_id: id, ...fact })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fact))
        .execute();
      await insertAuditEvents(tx, await record(tx, user));
      return ok({ user, already: false });
    });
  }

  return {
    async findGate({ id, accountId }) {
      const { rows } = await sql<{ providerAdminAt: Instant | null; openUntil: Instant | null }>`
        select (select since from provider_admins where account_id = ${accountId}) as "providerAdminAt",
          (select password_open_until from sign_in_means where user_id = ${id}) as "openUntil"
        where ${onPrimary}`.execute(queries);
      return Object.freeze(rows[0] ?? { providerAdminAt: null, openUntil: null });
    },

    mark: (id, at, audit) =>
      change(
        id,
        ['break_glass_at', at],
        ({ breakGlassAt }) => breakGlassAt !== null,
        async (tx, user) => {
          const identities = await selectIdentities(tx, id).execute();
          for (const identity of identities) await deleteIdentity(tx, id, identity);
          await sql`
            update users set confirmed_at = null, confirmed_until = null
            where id = ${id} and confirmed_at is not null`.execute(tx);
          return [...identities.map((identity) => audit.unlinked(user, identity)), audit.marked(user)];
        },
      ),

    unmark: (id, audit) =>
      change(
        id,
        ['break_glass_at', null],
        ({ breakGlassAt }) => breakGlassAt === null,
        async (_, user) => [audit(user)],
      ),

    arm: (id, until, at, audit) =>
      change(
        id,
        ['password_open_until', until],
        ({ passwordOpenUntil: open }) => until === null && (open === null || open <= at),
        async (_, user) => [audit(user)],
      ),

    proveEmail: (id, at, audit) =>
      change(
        id,
        ['email_proved_at', at],
        ({ emailProvedAt }) => emailProvedAt !== null,
        async (_, user) => [audit(user)],
      ),

    findConcerns: (options) => findConcerns(queries, options),
  };
}
