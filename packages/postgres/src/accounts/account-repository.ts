import { err, ok } from '@gatehouse/domain';
import type { AccountId, AccountRepository, AccountUse } from '@gatehouse/domain/accounts';
import type { AuditEvent } from '@gatehouse/domain/audit';
import { formatInstantOrNull, type Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { rowOf } from '../database/domain-names.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockAccount } from '../database/statements/row-locks.ts';
import { EXPIRY, isLiveAt } from '../tokens/refusal-conditions.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { accountColumns, selectAccounts } from './account-records.ts';

/** Creates the repository of accounts in PostgreSQL. */
export function createPostgresAccountRepository({ queries }: Database): AccountRepository {
  return {
    insert: (inserting, audit) =>
      queries.transaction().execute(async (tx) => {
        const account = await tx
          .insertInto('accounts')
          .values(rowOf(inserting))
          .returning(accountColumns)
          .executeTakeFirstOrThrow();
        await insertAuditEvents(tx, [audit(account)]);
        return account;
      }),

    async findById(id) {
      // Uses the index accounts_pkey.
      const account = await selectAccounts(queries).where('id', '=', id).executeTakeFirst();
      return account && Object.freeze(account);
    },

    async list({ after, limit }) {
      const page = selectAccounts(queries).orderBy('id').limit(limit);
      // Uses the index accounts_pkey.
      const accounts = await (after === undefined ? page : page.where('id', '>', after)).execute();
      return accounts.map((account) => Object.freeze(account));
    },

    async listByName(name, limit) {
      // Reads all accounts: only a command asks, and there are far fewer accounts than users.
      const found = await selectAccounts(queries)
        .where('name', '=', name)
        .orderBy('id')
        .limit(limit)
        .execute();
      return found.map((account) => Object.freeze(account));
    },

    async countUse(id, { at, limit }) {
      // Uses the indexes users_account_id, tokens_open_by_expiry and organizations_account_id.
      const { rows } = await sql<AccountUse>`
        select
          (select count(*) from (
            select from users where account_id = ${id} and disabled_at is null limit ${limit}
          ) as active) as "activeUsers",
          (select count(*) from (
            -- In the order of the index: otherwise a plan may expect to find enough soon without it.
            select from tokens
            where account_id = ${id} and kind = 'api' and ${isLiveAt(at)} order by ${EXPIRY} limit ${limit}
          ) as live) as "apiTokens",
          (select count(*) from (
            select from organizations where account_id = ${id} limit ${limit}
          ) as owned) as organizations
        where ${onPrimary}`.execute(queries);
      return rows[0] ?? { activeUsers: 0, apiTokens: 0, organizations: 0 };
    },

    rename: (id, name, audit) =>
      queries.transaction().execute(async (tx) => {
        const account = await lockAccount(tx, id);
        if (!account) return err({ code: 'account_not_found' });
        const event = audit(account);
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        if (account.name === name) return ok({ account, already: true });
        await tx.updateTable('accounts').set({ name }).where('id', '=', id).execute();
        await insertAuditEvents(tx, [event]);
        return ok({ account: { ...account, name }, already: false });
      }),

    suspend: (id, at, event) => commitDurably(queries, (tx) => setSuspended(tx, id, at, event)),

    resume: (id, event) => queries.transaction().execute((tx) => setSuspended(tx, id, null, event)),
  };
}

async function setSuspended(tx: Queries, id: AccountId, suspendedAt: Instant | null, event: AuditEvent) {
  const account = await lockAccount(tx, id);
  if (!account) return err({ code: 'account_not_found' });
  const isSuspended = account.suspendedAt !== null;
  if (isSuspended === (suspendedAt !== null)) return ok({ account, already: true });
  const change = { suspended_at: formatInstantOrNull(suspendedAt) };
  await tx.updateTable('accounts').set(change).where('id', '=', id).execute();
  await insertAuditEvents(tx, [event]);
  return ok({ account: { ...account, suspendedAt }, already: false });
}
