import { err, ok } from '@gatehouse/domain';
import type { Account, AccountId, AccountRepository, AccountUse } from '@gatehouse/domain/accounts';
import { formatInstant } from '@gatehouse/domain/time';
import { type Kysely, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import { commitDurably } from '../database/commit-durably.ts';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary-only.ts';
import { lockAccount } from '../database/row-locks.ts';
import type { Schema } from '../database/schema.ts';
import { EXPIRY, isLiveAt } from '../tokens/live-tokens.ts';
import { accountColumns, toAccount } from './account-records.ts';

/** Creates the repository of accounts in PostgreSQL. */
export function createPostgresAccountRepository({ queries }: Database): AccountRepository {
  return {
    insert: ({ name, createdAt }, audit) =>
      queries.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('accounts')
          .values({ name, created_at: formatInstant(createdAt) })
          .returning(accountColumns)
          .executeTakeFirstOrThrow();
        const account = toAccount(row);
        await insertAuditEvents(tx, [audit(account)]);
        return account;
      }),

    async findById(id) {
      // accounts_pkey
      const row = await queries
        .selectFrom('accounts')
        .select(accountColumns)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toAccount(row);
    },

    async list({ after, limit }) {
      const page = queries.selectFrom('accounts').select(accountColumns).orderBy('id').limit(limit);
      // accounts_pkey
      const rows = await (after === undefined ? page : page.where('id', '>', after)).execute();
      return rows.map(toAccount);
    },

    async countUse(id, { at, limit }) {
      // users_account_id, tokens_live
      const { rows } = await sql<AccountUse>`
        select
          (select count(*) from (
            select from users where account_id = ${id} and disabled_at is null limit ${limit}
          ) as active) as "activeUsers",
          (select count(*) from (
            -- In the index's order, lest a plan hope to meet so many soon without it.
            select from tokens where account_id = ${id} and ${isLiveAt(at)} order by ${EXPIRY} limit ${limit}
          ) as live) as "liveTokens"
        where ${onPrimary}`.execute(queries);
      return rows[0] ?? { activeUsers: 0, liveTokens: 0 };
    },

    suspend: (id, at, event) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        const account = await lockAccount(tx, id);
        if (!account) return err({ code: 'account_not_found' });
        if (account.suspendedAt !== null) return ok({ account, already: true });
        const suspended = await update(tx, id, { suspended_at: formatInstant(at) });
        await insertAuditEvents(tx, [event]);
        return ok({ account: suspended, already: false });
      }),

    resume: (id, event) =>
      queries.transaction().execute(async (tx) => {
        const account = await lockAccount(tx, id);
        if (!account) return err({ code: 'account_not_found' });
        if (account.suspendedAt === null) return ok({ account, already: true });
        const resumed = await update(tx, id, { suspended_at: null });
        await insertAuditEvents(tx, [event]);
        return ok({ account: resumed, already: false });
      }),
  };
}

async function update(
  tx: Kysely<Schema>,
  id: AccountId,
  change: { readonly suspended_at: string | null },
): Promise<Account> {
  const row = await tx
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirstOrThrow();
  return toAccount(row);
}
