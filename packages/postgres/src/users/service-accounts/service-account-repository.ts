import { err, ok } from '@gatehouse/domain';
import { actingUser } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import {
  canAnswer,
  type NewServiceAccount,
  SERVICE_DOMAIN,
  type ServiceAccountMaker,
  type ServiceAccountRepository,
  type UserId,
} from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { insertAuditEvents } from '../../audit/audit-events.ts';
import type { Database } from '../../database/database.ts';
import type { Queries } from '../../database/schema.ts';
import { commitDurably } from '../../database/statements/commit-durably.ts';
import { lockAccount, lockAccountOf, lockUser } from '../../database/statements/row-locks.ts';
import { actorMayAct } from '../acting-admin.ts';
import {
  findServiceAccount,
  findUser,
  selectServiceAccounts,
  toServiceAccount,
} from './service-account-records.ts';

/**
 * Creates the repository of service accounts in PostgreSQL. Every change locks the account first. A change that demotes
 * or disables a user locks it, too, so the person who answers stays an active admin until the change is made.
 */
export function createPostgresServiceAccountRepository({ queries }: Database): ServiceAccountRepository {
  return {
    insert: (inserting, audit) =>
      commitDurably(queries, async (tx) => {
        const { accountId, responsibleId, description, madeBy } = inserting;
        if (!(await lockAccount(tx, accountId))) return err({ code: 'account_not_found' });
        if (!(await actorMayAct(tx, { actor: madeBy, accountId }))) return err({ code: 'not_allowed' });
        if (!canAnswer(await findUser(tx, responsibleId), { accountId }))
          return err({ code: 'responsible_not_fit' });
        const id = await insertUser(tx, inserting);
        const { id: createdBy, name, email } = await findMaker(tx, inserting);
        await tx
          .insertInto('service_users')
          .values({
            user_id: id,
            account_id: accountId,
            description,
            responsible_id: responsibleId,
            created_by: createdBy,
            created_by_name: name,
            created_by_email: email,
          })
          .execute();
        const created = await findServiceAccount(tx, id);
        if (!created) throw new Error('the service account was just inserted');
        await insertAuditEvents(tx, [audit(created)]);
        return ok(created);
      }),

    find: (id) => findServiceAccount(queries, id),

    async list({ accountId, responsibleId, isUnanswered, isDisabled, after, limit }) {
      let page = selectServiceAccounts(queries).orderBy('service_users.user_id').limit(limit);
      // Uses the indexes service_users_account_id and service_users_responsible_id; for all accounts
      // service_users_pkey.
      if (accountId !== undefined) page = page.where('service_users.account_id', '=', accountId);
      if (responsibleId !== undefined) page = page.where('service_users.responsible_id', '=', responsibleId);
      if (after !== undefined) page = page.where('service_users.user_id', '>', after);
      if (isDisabled !== undefined)
        page = page.where('users.disabled_at', isDisabled ? 'is not' : 'is', null);
      if (isUnanswered)
        page = page
          .where('users.disabled_at', 'is', null)
          .where(sql<boolean>`(answering.role <> 'admin' or answering.disabled_at is not null)`);
      return Object.freeze((await page.execute()).map(toServiceAccount));
    },

    update: (id, changes, audit) =>
      commitDurably(queries, async (tx) => {
        await lockAccountOf(tx, id);
        await lockUser(tx, id);
        const before = await findServiceAccount(tx, id);
        if (!before) return err({ code: 'service_account_not_found' });
        if (!(await actorMayAct(tx, audit(before, before)))) return err({ code: 'not_allowed' });
        const { name = before.user.name, description = before.description } = changes;
        const { responsibleId = before.responsible.id } = changes;
        const isNew = responsibleId !== before.responsible.id;
        const responsible = isNew ? await findUser(tx, responsibleId) : before.responsible;
        if (!responsible || (isNew && !canAnswer(responsible, before.user)))
          return err({ code: 'responsible_not_fit' });
        if (!isNew && name === before.user.name && description === before.description)
          return ok({ before, after: before });
        await tx.updateTable('users').set({ name }).where('id', '=', id).execute();
        await setResponsible(tx, id, responsibleId, description);
        const user = Object.freeze({ ...before.user, name });
        const after = Object.freeze({
          ...before,
          user,
          description,
          responsible: Object.freeze(responsible),
        });
        await insertAuditEvents(tx, [audit(before, after)]);
        return ok({ before, after });
      }),
  };
}

const setResponsible = (tx: Queries, id: UserId, responsibleId: UserId, description: string | null) =>
  tx
    .updateTable('service_users')
    .set({ responsible_id: responsibleId, description })
    .where('user_id', '=', id)
    .execute();

/** Inserts the user, whose address has the id. So the id is taken first, and not by the column. */
async function insertUser(tx: Queries, inserting: NewServiceAccount): Promise<UserId> {
  const { accountId, name, role, createdAt } = inserting;
  const { rows } = await sql<{ readonly id: UserId }>`
    with next as materialized (select nextval(pg_get_serial_sequence('users', 'id')) as id)
    insert into users (id, account_id, kind, email, email_key, name, role, created_at)
      overriding system value
      select id, ${accountId}, 'service', id || ${`@${SERVICE_DOMAIN}`}, id || ${`@${SERVICE_DOMAIN}`},
        ${name}, ${role}, ${formatInstant(createdAt)}::timestamptz
      from next
    returning id`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('the insert of a user returned nothing');
  return row.id;
}

async function findMaker(tx: Queries, { madeBy }: NewServiceAccount): Promise<ServiceAccountMaker> {
  const id = actingUser({ actor: madeBy });
  const user = id === undefined ? undefined : await findUser(tx, id);
  if (user) return { id: user.id, name: user.name, email: user.email };
  return { id: null, name: 'name' in madeBy ? madeBy.name : '', email: null };
}
