import { err, ok } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import {
  changedOrganization,
  type OrganizationId,
  type OrganizationRepository,
  type OrganizationView,
} from '@gatehouse/domain/organizations';
import { formatInstant } from '@gatehouse/domain/time';
import { expectViolation } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { rowOf } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { compileOnce } from '../database/statements/compile-once.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import {
  type AskedView,
  type AskedViews,
  organizationColumns,
  selectViewsOfUsers,
} from './organization-records.ts';

/**
 * The admin who makes a change has lost the rights since the request was authorized. `actorMayAct` locks the account
 * before the organization.
 */
const NOT_ALLOWED = err({ code: 'not_allowed' } as const);

/** Creates the repository of organizations and their members in PostgreSQL. */
export function createPostgresOrganizationRepository({
  queries,
  shareReads,
}: Database): OrganizationRepository {
  const viewsOfUsers = compileOnce(queries, (values: AskedViews) => selectViewsOfUsers(queries, values));
  const readView = shareReads({
    kind: 'organization views',
    userOf: ({ userId }) => userId,
    async readAll(asked: readonly AskedView[]) {
      const ids = asked.map(({ id }) => id);
      const userIds = asked.map(({ userId }) => userId);
      const accountIds = asked.map(({ accountId }) => accountId);
      const views = new Array<OrganizationView | undefined>(asked.length).fill(undefined);
      const { rows } = await queries.executeQuery(viewsOfUsers({ ids, userIds, accountIds }));
      for (const { position, isMember, ...organization } of rows) {
        views[position - 1] = Object.freeze({ organization: Object.freeze(organization), isMember });
      }
      return views;
    },
  });
  return {
    insert(inserting, audit) {
      const inserted = queries.transaction().execute(async (tx) => {
        // The id is not known yet. The actor does not depend on it.
        const unnumbered = audit({ ...inserting, id: 0 as OrganizationId });
        if (!(await actorMayAct(tx, unnumbered))) return NOT_ALLOWED;
        const organization = await tx
          .insertInto('organizations')
          .values(rowOf(inserting))
          .returning(organizationColumns)
          .executeTakeFirstOrThrow();
        await insertAuditEvents(tx, [audit(organization)]);
        return ok(organization);
      });
      return inserted.catch(expectViolation('organizations_account_id_fkey', { code: 'account_not_found' }));
    },

    async findById(id) {
      // Uses the index organizations_pkey.
      const organization = await findOrganization(queries, id);
      return organization && Object.freeze(organization);
    },

    findForUser: (id, { userId, accountId }) => readView({ id, userId, accountId }),

    async list({ accountId, after, limit }) {
      let page = selectOrganizations(queries).orderBy('id').limit(limit);
      // Uses the index organizations_account_id; for all accounts, organizations_pkey.
      if (accountId !== undefined) page = page.where('account_id', '=', accountId);
      if (after !== undefined) page = page.where('id', '>', after);
      return (await page.execute()).map((organization) => Object.freeze(organization));
    },

    async countMembers(id) {
      // Uses the index memberships_pkey.
      const { count } = await queries
        .selectFrom('memberships')
        .select(sql<number>`count(*)`.as('count'))
        .where('organization_id', '=', id)
        .executeTakeFirstOrThrow();
      return count;
    },

    update: (id, changes, audit) =>
      queries.transaction().execute(async (tx) => {
        const found = await findOrganization(tx, id);
        if (!found) return err({ code: 'organization_not_found' });
        if (!(await actorMayAct(tx, audit(found)))) return NOT_ALLOWED;
        const before = await lockOrganization(tx, id);
        if (!before) return err({ code: 'organization_not_found' });
        const organization = changedOrganization(before, changes);
        if (organization === before) return ok({ organization, already: true });
        await tx.updateTable('organizations').set(rowOf(changes)).where('id', '=', id).execute();
        await insertAuditEvents(tx, [audit(before)]);
        return ok({ organization, already: false });
      }),

    delete: (id, audit) =>
      commitDurably(queries, async (tx) => {
        const found = await findOrganization(tx, id);
        if (!found) return err({ code: 'organization_not_found' });
        const uncounted = audit({ organization: found, members: 0 });
        if (!(await actorMayAct(tx, uncounted))) return NOT_ALLOWED;
        // This lock waits for transactions that are adding members. A transaction that adds a member later finds no
        // organization.
        const organization = await lockOrganization(tx, id);
        if (!organization) return err({ code: 'organization_not_found' });
        const ended = await tx.deleteFrom('memberships').where('organization_id', '=', id).executeTakeFirst();
        await tx.deleteFrom('organizations').where('id', '=', id).execute();
        const deleted = { organization, members: Number(ended.numDeletedRows) };
        await insertAuditEvents(tx, [audit(deleted)]);
        return ok(deleted);
      }),

    addMember: ({ organizationId, userId, at }, event) =>
      queries.transaction().execute(async (tx) => {
        if (!(await actorMayAct(tx, event))) return NOT_ALLOWED;
        const accountOf = (table: 'organizations' | 'users', id: number) =>
          sql<{ account_id: AccountId }>`
            select account_id from ${sql.table(table)} where id = ${id} for key share`.execute(tx);
        const [organization] = (await accountOf('organizations', organizationId)).rows;
        if (!organization) return err({ code: 'organization_not_found' });
        const [user] = (await accountOf('users', userId)).rows;
        if (!user) return err({ code: 'user_not_found' });
        const { account_id } = organization;
        if (user.account_id !== account_id) return err({ code: 'member_of_another_account' });

        const added = await tx
          .insertInto('memberships')
          .values({
            organization_id: organizationId,
            user_id: userId,
            account_id,
            created_at: formatInstant(at),
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (added.numInsertedOrUpdatedRows === 0n) return ok(false);
        await insertAuditEvents(tx, [event]);
        return ok(true);
      }),

    removeMember: ({ organizationId, userId }, event) =>
      commitDurably(queries, async (tx) => {
        if (!(await actorMayAct(tx, event))) return NOT_ALLOWED;
        const organization = await lockOrganization(tx, organizationId);
        if (!organization) return err({ code: 'organization_not_found' });
        const removed = await tx
          .deleteFrom('memberships')
          .where('organization_id', '=', organizationId)
          .where('user_id', '=', userId)
          .executeTakeFirst();
        if (removed.numDeletedRows === 0n) return ok(false);
        await insertAuditEvents(tx, [event]);
        return ok(true);
      }),
  };
}

function selectOrganizations(db: Queries) {
  return db.selectFrom('organizations').select(organizationColumns);
}

const findOrganization = (db: Queries, id: OrganizationId) =>
  selectOrganizations(db).where('id', '=', id).executeTakeFirst();

function lockOrganization(tx: Queries, id: OrganizationId) {
  return selectOrganizations(tx).where('id', '=', id).forUpdate().executeTakeFirst();
}
