import type { BreakGlass, SignInConcerns } from '@gatehouse/domain/break-glass';
import { formatInstant } from '@gatehouse/domain/time';
import type { User, UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { selectAccounts } from '../accounts/account-records.ts';
import type { Queries } from '../database/schema.ts';
import { moment } from '../database/statements/conditions.ts';
import { selectUsers } from '../users/user-records.ts';

/** Notes what a provider and Gatehouse do not agree about. */
export async function noteConflict(
  tx: Queries,
  { id }: User,
  conflict: { readonly other_identity_at: string } | { readonly demotion_at: string },
): Promise<void> {
  await tx
    .insertInto('provider_conflicts')
    .values({ user_id: id, ...conflict })
    .onConflict((present) => present.column('user_id').doUpdateSet(conflict))
    .execute();
}

/** Finds what an operator has to look at. The tables have few rows with these facts. */
export async function findConcerns(
  db: Queries,
  { at, since, limit }: Parameters<BreakGlass['findConcerns']>[0],
): Promise<SignInConcerns> {
  const active = () =>
    selectUsers(db).where('kind', '=', 'person').where('disabled_at', 'is', null).orderBy('id').limit(limit);
  const open = await db
    .selectFrom('sign_in_means')
    .innerJoin('users', 'users.id', 'sign_in_means.user_id')
    .select(['users.id', 'password_open_until as until'])
    .where('password_open_until', '>', moment(at))
    .where('users.disabled_at', 'is', null)
    .orderBy('users.id')
    .limit(limit)
    .execute();
  const users =
    open.length === 0
      ? []
      : await active()
          .where(
            'id',
            'in',
            open.map(({ id }) => id),
          )
          .execute();
  const untilOf = new Map(open.map(({ id, until }) => [id, until]));
  const isMarked = sql<UserId>`(select user_id from sign_in_means where break_glass_at is not null)`;
  const withoutPassword = await active()
    .where(
      sql<boolean>`exists (
        select from sign_in_means as means
        where means.user_id = users.id and means.break_glass_at is not null
          and means.unknown_hash = users.password_hash)`,
    )
    .execute();
  const otherIdentities = await active()
    .where(
      sql<boolean>`exists (
        select from provider_conflicts as conflict
        where conflict.user_id = users.id and conflict.other_identity_at >= ${formatInstant(since)})`,
    )
    .execute();
  const keptAdmins = await active()
    .where('role', '=', 'admin')
    .where(
      sql<boolean>`exists (
        select from provider_conflicts as conflict
        where conflict.user_id = users.id and conflict.demotion_at is not null)`,
    )
    .execute();
  const withoutBreakGlass = await selectAccounts(db)
    .where(
      sql<boolean>`accounts.id in (select account_id from provider_admins) and not exists (
        select from users
        where users.account_id = accounts.id and users.kind = 'person' and users.role = 'admin'
          and users.disabled_at is null and users.id in ${isMarked})`,
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return Object.freeze({
    armed: Object.freeze(
      users.flatMap((user) => {
        const until = untilOf.get(user.id) ?? null;
        return until === null ? [] : [Object.freeze({ user: Object.freeze(user), until })];
      }),
    ),
    withoutPassword: frozen(withoutPassword),
    otherIdentities: frozen(otherIdentities),
    keptAdmins: frozen(keptAdmins),
    withoutBreakGlass: frozen(withoutBreakGlass),
  });
}

const frozen = <T>(rows: readonly T[]): readonly T[] => Object.freeze(rows.map((row) => Object.freeze(row)));
