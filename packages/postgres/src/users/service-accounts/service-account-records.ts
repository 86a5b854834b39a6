import type { ServiceAccount, UserId } from '@gatehouse/domain/users';
import type { Queries } from '../../database/schema.ts';
import { joinedUserColumns, toJoinedUser, userColumns } from '../user-records.ts';

const RESPONSIBLE = [
  'answering.kind as answering_kind',
  'answering.email as answering_email',
  'answering.name as answering_name',
  'answering.role as answering_role',
  'answering.created_at as answering_created_at',
  'answering.disabled_at as answering_disabled_at',
  'answering.confirmed_until as answering_confirmed_until',
] as const;

/** Selects service accounts with the persons who answer for them. Uses the index users_pkey for both. */
export function selectServiceAccounts(db: Queries) {
  return db
    .selectFrom('service_users')
    .innerJoin('users', 'users.id', 'service_users.user_id')
    .innerJoin('users as answering', 'answering.id', 'service_users.responsible_id')
    .select(['service_users.user_id', 'service_users.account_id', 'service_users.description'])
    .select(['service_users.responsible_id', 'service_users.created_by'])
    .select(['service_users.created_by_name', 'service_users.created_by_email'])
    .select([...joinedUserColumns, ...RESPONSIBLE]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectServiceAccounts>['executeTakeFirstOrThrow']>>;

export function toServiceAccount(row: Row): ServiceAccount {
  const { created_by: id, created_by_name: name, created_by_email: email } = row;
  const responsible = toJoinedUser({
    user_id: row.responsible_id,
    account_id: row.account_id,
    user_kind: row.answering_kind,
    user_email: row.answering_email,
    user_name: row.answering_name,
    user_role: row.answering_role,
    user_created_at: row.answering_created_at,
    user_disabled_at: row.answering_disabled_at,
    user_confirmed_until: row.answering_confirmed_until,
  });
  return Object.freeze({
    user: toJoinedUser(row),
    description: row.description,
    responsible,
    createdBy: Object.freeze(
      id === null || email === null ? { id: null, name, email: null } : { id, name, email },
    ),
  });
}

/** Finds a service account. Uses the index service_users_pkey. */
export async function findServiceAccount(db: Queries, id: UserId): Promise<ServiceAccount | undefined> {
  const row = await selectServiceAccounts(db).where('service_users.user_id', '=', id).executeTakeFirst();
  return row && toServiceAccount(row);
}

/** Finds a user by the id. Uses the index users_pkey. */
export const findUser = (db: Queries, id: UserId) =>
  db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst();
